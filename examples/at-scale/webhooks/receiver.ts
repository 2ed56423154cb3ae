// Receives notifications and acknowledges each as soon as the queue has it. Run as many as you like.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { createReceiver, redisDedupe, toNodeHandler } from 'payment-platform/webhooks';
import { milliseconds, required } from '../settings.js';
import { jobIdOf, openEvents } from './queue.js';

const redis = new Redis(required('REDIS_URL'));
const queue = openEvents(redis);

const receiver = createReceiver({
  secret: required('WEBHOOK_SECRET'),
  dedupe: redisDedupe(redis),
  lease: milliseconds('LEASE', 15_000),
  acknowledge: 'first', // 202 when the queue has it; if it has not, 500, and the platform sends again
  enqueue: (event, delivery) => queue.add(event.event, event, { jobId: jobIdOf(delivery.id) }),
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env.PORT ?? 3000));
await once(server, 'listening');
console.log('receiver on port', (server.address() as AddressInfo).port);
