/** The header in which the SDK reads the platform's identifier of a request. The API document has none. */
export const requestIdField = { key: 'response.requestId', wire: 'x-request-id' } as const;

/** Why it is that one. */
export const requestIdReason =
  'No request identifier is documented; this is the header that most platforms send.';
