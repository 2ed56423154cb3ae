/** The other side of every measurement, in the process that starts the measured ones. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { sign } from '../../dist/webhooks.js';
import { notification, payment, secret } from './samples.mjs';

const body = Buffer.from(JSON.stringify(payment));

/** Starts a server that returns the same JSON for every POST. */
export async function startServer() {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-request-id': 'req_0123456789abcdef',
      });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, stop: () => server.close() };
}

const agent = new Agent({ keepAlive: true, maxSockets: 50 });

function send(port) {
  const body = JSON.stringify({ ...notification, id: randomUUID() });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...sign({ body, secret }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, method: 'POST', path: '/webhooks', headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`responded with ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.end(body);
  });
}

/** Sends signed deliveries, each with a different notification, at most 50 at once. */
export async function deliver(port, count) {
  let left = count;
  const lanes = Array.from({ length: 50 }, async () => {
    while (left-- > 0) await send(port);
  });
  await Promise.all(lanes);
}
