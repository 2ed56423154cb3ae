// Marks orders as paid, and sends their tasks in the same transaction. Run any number of receivers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, postgresDedupe, toNodeHandler } from 'payment-platform/webhooks';
import { Pool, type PoolClient } from 'pg';
import { milliseconds, required } from '../settings.js';
import { markAsPaid, startQueues } from './tasks.js';

const connectionString = required('POSTGRES_URL');
const pool = new Pool({ connectionString });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const boss = await startQueues(connectionString);

const receiver = createReceiver<PoolClient>({
  secret: required('WEBHOOK_SECRET'),
  dedupe: postgresDedupe(pool, { transaction: true }),
  lease: milliseconds('LEASE', 15_000),
  on: {
    'transaction.paid': (event, { transaction }) => markAsPaid(transaction, boss, event.externalReference),
  },
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env.PORT ?? 3000));
await once(server, 'listening');
console.log('receiver on port', (server.address() as AddressInfo).port);
