/** Takes the place of `raw-body-help.ts` in runtimes that only have a Request. */
export const rawBodyHelp = (): string =>
  'The body must be a string or bytes, not a parsed object. Pass await request.text().';

export const receiverHelp = (): string =>
  'The body was read before the receiver got it. Remove await request.json() or await request.text() before receiver.fetch(request).';
