import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Receiver } from 'payment-platform/webhooks';
import { afterAll } from 'vitest';
import { path } from '../../webhooks/frameworks/deliveries.js';
import { holdsTheTable, saysWhoParsedTheBody } from '../../webhooks/frameworks/expectations.js';
import { inProcess, overSockets } from '../../webhooks/frameworks/transports.js';

/** `serve` replaces these globals with its own classes. */
const { Request, Response } = globalThis;
afterAll(() => {
  Object.assign(globalThis, { Request, Response });
});

const appWith = (receiver: Receiver) => new Hono().all(path, (c) => receiver.fetch(c.req.raw));

const appThatParses = (receiver: Receiver) =>
  new Hono()
    .use(async (c, next) => {
      await c.req.json();
      await next();
    })
    .post(path, (c) => receiver.fetch(c.req.raw));

const serving = (app: Hono) =>
  new Promise<ReturnType<typeof overSockets>>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(
        overSockets(port, () => {
          if ('closeAllConnections' in server) server.closeAllConnections();
          server.close();
        }),
      ),
    );
  });

holdsTheTable('Hono on @hono/node-server', (receiver) => serving(appWith(receiver)));

holdsTheTable('Hono in the same process', (receiver) =>
  inProcess(async (request) => appWith(receiver).fetch(request)),
);

const line = 'await request.json()';

saysWhoParsedTheBody(
  'Hono on @hono/node-server, below a parser',
  (receiver) => serving(appThatParses(receiver)),
  line,
);

saysWhoParsedTheBody(
  'Hono in the same process, below a parser',
  (receiver) => inProcess(async (request) => appThatParses(receiver).fetch(request)),
  line,
);
