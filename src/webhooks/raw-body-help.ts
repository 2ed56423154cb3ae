/** How to get the raw body for `verify`, by framework. */
export const rawBodyHelp = (): string =>
  [
    'The body must be a string or bytes, not a parsed object: the signature covers every byte. Pass the raw body:',
    "Express: app.post(path, express.raw({ type: '*/*' }), handler), then request.body",
    "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body",
    'Hono: await c.req.text()',
    'Next: await request.text() in a route handler',
  ].join('\n- ');

/** How to keep a parser from reading the body before the receiver, by framework. */
export const receiverHelp = (): string =>
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
