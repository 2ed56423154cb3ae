// Handles notifications. Run any number of workers. Each can die at any moment.
import { Pool } from 'pg';
import { workEach } from '../boss.js';
import { required } from '../settings.js';
import type { Delivery } from '../webhooks/delivery.js';
import { handleEvent } from '../webhooks/handle-event.js';
import { eventsQueue, startQueue } from './queue.js';

const connectionString = required('POSTGRES_URL');
const pool = new Pool({ connectionString });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const boss = await startQueue(connectionString);

await workEach<Delivery>(boss, eventsQueue, ({ event }) => handleEvent(pool, event));
console.log('ready');
