import { once } from 'node:events';
import { fastify } from 'fastify';
import fastifyRawBody from 'fastify-raw-body';
import { fastify as fastify4 } from 'fastify4';
import { fastifyWebhooks } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { notification, path, whole } from '../../webhooks/frameworks/deliveries.js';
import {
  application,
  holdsTheTable,
  json,
  type Start,
  saysWhoParsedTheBody,
} from '../../webhooks/frameworks/expectations.js';
import { overSockets } from '../../webhooks/frameworks/transports.js';

/** The listen method that both versions share. */
interface Listening {
  listen(options: { port: number; host: string }): Promise<string>;
  close(): unknown;
}

async function listen(app: Listening) {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return overSockets(Number(new URL(address).port), () => app.close());
}

holdsTheTable(
  'Fastify 4',
  (receiver) => {
    const app = fastify4({ forceCloseConnections: true });
    app.register(fastifyWebhooks(receiver), { path });
    return listen(app);
  },
  { otherMethods: 404 },
);

holdsTheTable(
  'Fastify 5',
  (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    app.register(fastifyWebhooks(receiver), { path });
    return listen(app);
  },
  { otherMethods: 404 },
);

/** Returns a promise for a hook to await. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

holdsTheTable(
  'Fastify 5, with fastify-raw-body, and hooks that take their time',
  async (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    for (const name of ['onRequest', 'preValidation', 'preHandler'] as const) app.addHook(name, nextTurn);
    await app.register(fastifyRawBody);
    await app.register(fastifyWebhooks(receiver), { path });
    return listen(app);
  },
  { otherMethods: 404 },
);

holdsTheTable(
  'Fastify 5, with hooks of the parent',
  (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    for (const name of ['onRequest', 'preValidation', 'preHandler'] as const) app.addHook(name, nextTurn);
    app.register(fastifyWebhooks(receiver), { path });
    return listen(app);
  },
  { otherMethods: 404 },
);

saysWhoParsedTheBody(
  'Fastify 5, in its own route',
  (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    app.post(path, async (request, reply) => {
      const { status } = await receiver.receive({ body: request.body as never, headers: request.headers });
      return reply.code(status).send('');
    });
    return listen(app);
  },
  'Fastify: app.register(fastifyWebhooks(receiver), { path })',
);

saysWhoParsedTheBody(
  'Fastify 5, below a hook that reads the stream',
  (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    app.addHook('preHandler', async ({ raw }) => {
      raw.resume();
      await once(raw, 'end');
    });
    app.register(fastifyWebhooks(receiver), { path });
    return listen(app);
  },
  'Fastify: app.register(fastifyWebhooks(receiver), { path })',
);

type Body = { Body: { amount: number } };

const withOrders: Readonly<Record<string, Start>> = {
  'Fastify 4': (receiver) => {
    const app = fastify4({ forceCloseConnections: true });
    app.register(fastifyWebhooks(receiver), { path });
    app.post<Body>('/orders', async ({ body }) => ({ paid: body.amount }));
    return listen(app);
  },
  'Fastify 5': (receiver) => {
    const app = fastify({ forceCloseConnections: true });
    app.register(fastifyWebhooks(receiver), { path });
    app.post<Body>('/orders', async ({ body }) => ({ paid: body.amount }));
    return listen(app);
  },
};

describe.each(Object.entries(withOrders))('the other routes of %s', (_, start) => {
  const { deliver, watch } = application(start);

  test('still use their own body parser', async () => {
    const watched = watch();
    expect(await deliver(json('/orders', '{"amount": 1990}'))).toEqual({
      status: 200,
      body: '{"paid":1990}',
    });
    expect(await deliver(whole(notification()))).toEqual({ status: 200, body: '' });
    expect(await deliver(json('/orders', '{"amount": '))).toMatchObject({ status: 400 });
    expect(await deliver(json('/orders', '{"amount": 5}'))).toEqual({ status: 200, body: '{"paid":5}' });
    expect(watched.effects).toBe(1);
  });
});
