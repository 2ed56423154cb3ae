import { createServer } from 'node:http';
import { toNodeHandler } from 'payment-platform/webhooks';
import { holdsTheTable } from './expectations.js';
import { listening } from './transports.js';

holdsTheTable('node:http', (receiver) => listening(createServer(toNodeHandler(receiver))));

holdsTheTable('node:http, with the request itself as the body', (receiver) =>
  listening(
    createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { status } = await receiver.receive({ body: request, headers: request.headers });
      return void response.writeHead(status).end();
    }),
  ),
);
