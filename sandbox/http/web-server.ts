/** Replaces `node-server.ts` in browsers and Workers, which cannot open a port. */
export { readParts } from './web-multipart.js';

export const serve = (): Promise<never> =>
  Promise.reject(
    new TypeError(
      'listen: browsers and Workers cannot open a port. Pass sandbox.clientOptions() to the client, or call listen in Node.',
    ),
  );
