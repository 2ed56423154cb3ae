// Receives notifications, and acknowledges each one when the queue has stored it. Run any number of receivers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { createReceiver, redisDedupe, toNodeHandler } from 'payment-platform/webhooks';
import { milliseconds, required } from '../settings.js';
import { toJobId } from './delivery.js';
import { openEvents } from './queue.js';

const redis = new Redis(required('REDIS_URL'));
const queue = openEvents(redis);

const receiver = createReceiver({
  secret: required('WEBHOOK_SECRET'),
  dedupe: redisDedupe(redis),
  lease: milliseconds('LEASE', 15_000),
  acknowledge: 'first', // 202 once the queue has the event; otherwise 500, and the platform retries
  enqueue: (event, { id }) => queue.add(event.event, { id, event }, { jobId: toJobId(id) }),
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env.PORT ?? 3000));
await once(server, 'listening');
console.log('receiver on port', (server.address() as AddressInfo).port);
