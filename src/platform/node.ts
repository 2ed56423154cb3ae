/**
 * Runtime-specific functions for Node, Bun and Deno. `web.ts` exports the same names for runtimes without
 * Node's modules, and `imports` in package.json chooses between the two files. Code about calls or deliveries
 * does not belong here.
 */
import { defineHiddenGlobals } from './node-globals.js';

export { undoCodings } from './node-codings.js';
export { computeDigest, findSigner, hmac, isSignedBy } from './node-crypto.js';
export { errorOrCauseCode, reasonBeforeSending, withHint } from './node-failures.js';
export { PathContent } from './node-files.js';

// Jest's jsdom environment hides globals of Node, but its tests can call a server.
defineHiddenGlobals();

/** Imports the file system only when a path is read. */
export const fileSystem = () => import('node:fs/promises');

export const rawBodyHelp = (): string =>
  [
    'The body must be a string or bytes, not a parsed object: the signature covers every byte. Pass the raw body:',
    "Express: app.post(path, express.raw({ type: '*/*' }), handler), then request.body",
    "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body",
    'Hono: await c.req.text()',
    'Next: await request.text() in a route handler',
  ].join('\n- ');

export const bodyAlreadyReadHelp = (): string =>
  [
    'The body was read before the receiver got it, and the signature cannot be checked over a parsed body. Change one line:',
    'Express: put app.post(path, toNodeHandler(receiver)) above app.use(express.json())',
    'Express, to keep the bytes: express.json({ verify: (request, response, bytes) => { Object.assign(request, { rawBody: bytes }); } })',
    'NestJS: NestFactory.create(AppModule, { rawBody: true })',
    'Koa: put the route above the parser',
    'Fastify: app.register(fastifyWebhooks(receiver), { path })',
    'Next, API routes: export const config = { api: { bodyParser: false } }',
    'Request handlers: remove await request.json() or await request.text() before receiver.fetch(request)',
    'AWS Lambda: no parser of bodies before the handler',
  ].join('\n- ');
