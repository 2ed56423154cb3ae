/** What to do where `verify` was given a parsed body. */
export const rawBodyHelp = (): string =>
  [
    'The body is neither a string nor bytes.',
    'The signature covers the body exactly as it was sent, so a parsed one cannot be checked. Get the raw body:',
    "Express: app.post(path, express.raw({ type: '*/*' }), handler), then req.body;",
    "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body;",
    'Hono: await c.req.text(); Next: await request.text() in a route handler.',
  ].join(' ');

/** The line to change where something has read the body before a receiver. */
export const receiverHelp = (): string =>
  [
    'The body was read before the receiver got it, and what a parser makes of it cannot be checked. Change one line.',
    'Express: put app.post(path, toNodeHandler(receiver)) above app.use(express.json()), or keep the bytes:',
    'express.json({ verify: (request, response, bytes) => { Object.assign(request, { rawBody: bytes }); } }).',
    'NestJS: NestFactory.create(AppModule, { rawBody: true }).',
    'Koa: put the route above the parser.',
    'Fastify: app.register(fastifyWebhooks(receiver), { path }).',
    'Next, API routes: export const config = { api: { bodyParser: false } }.',
    'Where a Request is given: no await request.json() or request.text() before receiver.fetch(request).',
    'AWS Lambda: no parser of bodies before the handler.',
  ].join(' ');
