// Receives notifications, and acknowledges each one when pg-boss has stored it. Run any number of receivers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, postgresDedupe, toNodeHandler } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { milliseconds, required } from '../settings.js';
import { type Delivery, toJobUuid } from '../webhooks/delivery.js';
import { eventsQueue, startQueue } from './queue.js';

const connectionString = required('POSTGRES_URL');
const pool = new Pool({ connectionString });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const boss = await startQueue(connectionString);

const receiver = createReceiver({
  secret: required('WEBHOOK_SECRET'),
  dedupe: postgresDedupe(pool),
  lease: milliseconds('LEASE', 15_000),
  acknowledge: 'first', // 202 once the queue has the event; otherwise 500, and the platform retries
  enqueue: (event, { id }) => boss.send(eventsQueue, { id, event } satisfies Delivery, { id: toJobUuid(id) }),
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env.PORT ?? 3000));
await once(server, 'listening');
console.log('receiver on port', (server.address() as AddressInfo).port);
