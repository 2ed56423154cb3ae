// Handles events again that pg-boss still has: `npm run pg-boss-replay -- list`.
import { Pool } from 'pg';
import { listDeadLetters, restartJobs } from '../boss.js';
import { required } from '../settings.js';
import { type Delivery, toJobUuid } from '../webhooks/delivery.js';
import { runReplay } from '../webhooks/replay-command.js';
import { eventsQueue } from './queue.js';

const pool = new Pool({ connectionString: required('POSTGRES_URL') });

const message = await runReplay(
  {
    list: async () =>
      (await listDeadLetters<Delivery>(pool, eventsQueue)).map(({ data, reason }) => ({
        id: data.id,
        reason,
      })),
    one: async (deliveryId) => {
      const id = toJobUuid(deliveryId);
      if ((await restartJobs(pool, eventsQueue, { id })) === 1) return true;
      const { rowCount } = await pool.query('SELECT FROM pgboss.job WHERE name = $1 AND id = $2', [
        eventsQueue,
        id,
      ]);
      return rowCount === 1 ? false : undefined;
    },
    failed: () => restartJobs(pool, eventsQueue, { isFailed: true }),
    period: (from, to) => restartJobs(pool, eventsQueue, { from, to }),
  },
  process.argv.slice(2),
);
console.log(message);
await pool.end();
