/** Takes the place of `raw-body-help.ts` where there is nothing but a Request. */
export const rawBodyHelp = (): string =>
  'The body is neither a string nor bytes: the signature covers it exactly as it was sent. Take await request.text().';

export const receiverHelp = (): string =>
  'The body was read before the receiver got it: no await request.json() or request.text() before receiver.fetch(request).';
