import { createProblem } from '../http/responses.js';

/** Replaces `node-page.ts` in browsers and Workers, which cannot open a port to serve the page. */
export const page: Readonly<Record<string, () => Response>> = {
  '/': () =>
    createProblem(404, 'no_page', 'Only a sandbox in Node has a page: sandbox.listen() serves it there.'),
};
