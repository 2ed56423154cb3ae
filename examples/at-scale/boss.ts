import type { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { milliseconds, number } from './settings.js';

const week = 7 * 24 * 3_600;
const seconds = (name: string, standard: number) => Math.max(1, milliseconds(name, standard * 1_000) / 1_000);

/** Five attempts with growing pauses. */
export const retries = {
  retryLimit: number('RETRY_LIMIT', 4),
  retryDelay: seconds('RETRY_DELAY', 5),
  retryBackoff: true,
} as const;

/** How long a dead worker keeps a job. */
export const expireInSeconds = seconds('JOB_EXPIRY', 120);

/** Names the queue of the jobs that failed at every attempt. No worker reads it. */
export const toDeadLetters = (queue: string) => `${queue}-dead`;

/**
 * Opens pg-boss. All programs use the same settings, because any of them can clean the tables: a finished job and
 * its id stay for a week, as long as the receiver remembers deliveries, and a failed one for four weeks.
 */
export async function startBoss(connectionString: string): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString,
    maintenanceIntervalSeconds: seconds('MAINTENANCE_INTERVAL', 30),
    archiveCompletedAfterSeconds: week,
    archiveFailedAfterSeconds: 4 * week,
  });
  boss.on('error', (error) => console.error('the queue:', error.message));
  return boss.start();
}

/** Creates a queue if it does not exist. PostgreSQL ends one of two processes that create queues in a deadlock. */
export async function createQueue(boss: PgBoss, options: PgBoss.Queue): Promise<void> {
  while ((await boss.getQueue(options.name)) === null)
    try {
      await boss.createQueue(options.name, options);
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01') throw error; // a deadlock: the other process goes on
    }
}

/** Creates a queue and the queue of its dead letters. */
export async function createRetriedQueue(boss: PgBoss, name: string): Promise<void> {
  const deadLetter = toDeadLetters(name);
  await createQueue(boss, { name: deadLetter, policy: 'standard' });
  await createQueue(boss, { name, policy: 'standard', expireInSeconds, deadLetter, ...retries });
}

/** Completes or fails each job separately. Otherwise a failed job would repeat the whole batch. */
export const workEach = <Data extends object>(
  boss: PgBoss,
  queue: string,
  handle: (data: Data) => Promise<unknown>,
) =>
  boss.work<Data>(queue, { batchSize: 10, pollingIntervalSeconds: 0.5 }, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          await handle(data);
          await boss.complete(queue, id);
        } catch (error) {
          await boss.fail(queue, id, { reason: String(error) }); // the dead letter has the same reason
        }
      }),
    ),
  );

/** Finished jobs of a queue: one job, all failed jobs, or the jobs that were sent in a period. */
export interface FinishedJobs {
  readonly id?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly isFailed?: boolean;
}

/**
 * Runs finished jobs again, with all attempts. pg-boss has no function for completed jobs, so this is its table
 * (version 10). A job and its dead letter change in one statement, so that no crash separates them.
 *
 * @returns how many jobs run again
 */
export async function restartJobs(
  pool: Pool,
  queue: string,
  { id, from, to, isFailed = false }: FinishedJobs,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `WITH restarted AS (
       UPDATE pgboss.job
       SET state = 'created', retry_count = 0, start_after = now(), started_on = NULL, completed_on = NULL,
         output = NULL, keep_until = now() + interval '14 days'
       WHERE name = $1 AND (state = 'failed' OR (state > 'active' AND NOT $2))
         AND ($3::uuid IS NULL OR id = $3)
         AND ($4::timestamptz IS NULL OR created_on >= $4)
         AND ($5::timestamptz IS NULL OR created_on < $5)
       RETURNING data
     ), repaired AS (
       DELETE FROM pgboss.job USING restarted WHERE job.name = $6 AND job.data = restarted.data
     )
     SELECT count(*)::int AS count FROM restarted`,
    [queue, isFailed, id, from, to, toDeadLetters(queue)],
  );
  return rows[0]?.count ?? 0;
}

/** Lists the jobs that failed at every attempt. */
export async function listDeadLetters<Data>(
  pool: Pool,
  queue: string,
): Promise<{ readonly data: Data; readonly reason: string }[]> {
  const { rows } = await pool.query(
    `SELECT data, coalesce(output->>'reason', output::text, '') AS reason FROM pgboss.job WHERE name = $1
     ORDER BY created_on`,
    [toDeadLetters(queue)],
  );
  return rows;
}
