/** Sends signed deliveries, each with a different notification, over keep-alive connections. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { sign } from '../../dist/webhooks.js';
import { notification, secret } from './samples.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 50 });

const delivery = () => {
  const body = JSON.stringify({ ...notification, id: randomUUID() });
  return { body, headers: { 'content-type': 'application/json', ...sign({ body, secret }) } };
};

function send(port, { body, headers }) {
  return new Promise((resolve, reject) => {
    const options = { port, agent, method: 'POST', path: '/webhooks' };
    const sent = request({ ...options, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`responded with ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.end(body);
  });
}

/** Sends the given number of deliveries, at most 50 at once. */
export async function deliver(port, count) {
  let left = count;
  const lanes = Array.from({ length: 50 }, async () => {
    while (left-- > 0) await send(port, delivery());
  });
  await Promise.all(lanes);
}
