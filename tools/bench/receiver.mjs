/**
 * A server that receives signed deliveries, with the whole receiver or with the unavoidable minimum. It
 * measures its own CPU; the sender is another process.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createReceiver, toNodeHandler } from '../../dist/webhooks.js';
import { secret } from './samples.mjs';

const [kind] = process.argv.slice(2);
let handled = 0;

const remembered = new Set();

/** Reads, checks the HMAC, parses, remembers and responds, without any other check. */
function bare(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const hmac = createHmac('sha256', secret)
      .update(`${request.headers['x-service-timestamp']}.`)
      .update(body);
    const signature = Buffer.from(request.headers['x-service-signature'], 'hex');
    response.statusCode = timingSafeEqual(hmac.digest(), signature) ? 200 : 400;
    const event = JSON.parse(body.toString());
    const key = `${event.event}:${event.id}`;
    if (event.event === 'transaction.paid' && !remembered.has(key)) handled++;
    remembered.add(key);
    response.end();
  });
}

const receiver = createReceiver({
  secret,
  on: {
    'transaction.paid': () => {
      handled++;
    },
  },
});

const server = createServer(kind === 'bare' ? bare : toNodeHandler(receiver));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send({ port: server.address().port });
let before = process.cpuUsage();
process.on('message', () => {
  const { user, system } = process.cpuUsage(before);
  process.send({ micros: user + system, handled });
  handled = 0;
  before = process.cpuUsage();
});
process.on('disconnect', () => process.exit());
