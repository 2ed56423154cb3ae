import { createServer } from 'node:http';
import hapi from '@hapi/hapi';
import { Elysia } from 'elysia';
import { H3 } from 'h3';
import { toNodeHandler as h3Handler } from 'h3/node';
import { toNodeHandler } from 'payment-platform/webhooks';
import polka from 'polka';
import restify from 'restify';
import { path } from '../../webhooks/frameworks/deliveries.js';
import { holdsTheTable } from '../../webhooks/frameworks/expectations.js';
import { inProcess, listening, overSockets } from '../../webhooks/frameworks/transports.js';

holdsTheTable('polka', (receiver) => {
  const app = polka().all(path, toNodeHandler(receiver));
  return listening(createServer(app.handler as never));
});

holdsTheTable(
  'restify',
  async (receiver) => {
    const app = restify.createServer();
    const handler = toNodeHandler(receiver);
    app.post(path, async (request, response) => handler(request, response));
    return listening(app.server as never);
  },
  { otherMethods: 405 },
);

holdsTheTable(
  'hapi',
  async (receiver) => {
    const server = hapi.server({ host: '127.0.0.1' });
    server.route({
      method: 'POST',
      path,
      options: { payload: { parse: false, output: 'stream', maxBytes: 10_000_000 } },
      handler: async ({ payload, raw: { req } }, h) => {
        const { headers, url } = req;
        const { status } = await receiver.receive({ body: payload as never, headers, url });
        return h.response().code(status);
      },
    });
    await server.start();
    return overSockets(Number(server.info.port), () => server.stop({ timeout: 0 }));
  },
  { otherMethods: 404 },
);

holdsTheTable('h3', (receiver) =>
  listening(createServer(h3Handler(new H3().all(path, (event) => receiver.fetch(event.req))) as never)),
);

holdsTheTable('Elysia', (receiver) => {
  const app = new Elysia().all(path, ({ request }) => receiver.fetch(request), { parse: 'none' });
  return inProcess(async (request) => app.handle(request));
});
