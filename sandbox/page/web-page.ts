import { problem } from '../http/answers.js';

/** Takes the place of `node-page.ts` in browsers and Workers, which have no port that serves the page. */
export const page: Readonly<Record<string, () => Response>> = {
  '/': () => problem(404, 'no_page', 'Only a sandbox in Node has a page: sandbox.listen() serves it there.'),
};
