import { createServer } from 'node:http';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import olderBodyParser from 'koa-bodyparser';
import { toNodeHandler } from 'payment-platform/webhooks';
import { path } from '../../webhooks/frameworks/deliveries.js';
import { holdsTheTable, saysWhoParsedTheBody } from '../../webhooks/frameworks/expectations.js';
import { listening } from '../../webhooks/frameworks/transports.js';

/** Creates Koa without its error output, because Koa logs every client that hangs up. */
function quietKoa() {
  const app = new Koa();
  app.silent = true;
  return app;
}

holdsTheTable('Koa', (receiver) => {
  const app = quietKoa();
  app.use(toNodeHandler(receiver));
  return listening(createServer(app.callback()));
});

holdsTheTable(
  'Koa, in a router above the parser',
  (receiver) => {
    const router = new Router();
    router.post(path, toNodeHandler(receiver));
    const app = quietKoa();
    app.use(router.routes()).use(bodyParser());
    return listening(createServer(app.callback()));
  },
  { otherMethods: 404 },
);

// Both parsers keep the raw string of a body next to the parsed value.
for (const [name, parser] of [
  ['koa-bodyparser', olderBodyParser],
  ['@koa/bodyparser', bodyParser],
] as const) {
  holdsTheTable(
    `Koa, below ${name}`,
    (receiver) => {
      const app = quietKoa();
      app.use(parser()).use(toNodeHandler(receiver));
      return listening(createServer(app.callback()));
    },
    { bodyIsReadBefore: true },
  );
}

saysWhoParsedTheBody(
  'Koa, below a parser that keeps nothing',
  (receiver) => {
    const app = quietKoa();
    app.use(async (context, next) => {
      const chunks: Buffer[] = [];
      for await (const chunk of context.req) chunks.push(chunk);
      Object.assign(context.request, { body: JSON.parse(Buffer.concat(chunks).toString()) });
      await next();
    });
    app.use(toNodeHandler(receiver));
    return listening(createServer(app.callback()));
  },
  'Koa: put the route above the parser',
);
