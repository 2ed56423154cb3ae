// Handles events again that BullMQ still has: `npm run webhook-replay -- list`.
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import { required } from '../settings.js';
import { type Delivery, toJobId } from './delivery.js';
import { openDeadLetters, openEvents } from './queue.js';
import { runReplay } from './replay-command.js';

const redis = new Redis(required('REDIS_URL'));
const [events, deadLetters] = [openEvents(redis), openDeadLetters(redis)];

/**
 * Moves a finished job back to the waiting ones, in one step. It keeps its id: BullMQ would not accept
 * another job with the same one. The worker removes the dead letter when it has handled the event.
 */
async function restart(job: Job<Delivery>): Promise<boolean> {
  const state = await job.getState();
  if (state !== 'completed' && state !== 'failed') return false;
  await job.retry(state, { resetAttemptsMade: true });
  return true;
}

/** Restarts the finished jobs that match. Reads the list before the first change, because restarts shorten it. */
async function restartAll(
  states: ('completed' | 'failed')[],
  matches: (job: Job<Delivery>) => boolean,
): Promise<number> {
  const found: Job<Delivery>[] = [];
  for (const state of states)
    for (let start = 0, page = []; start === 0 || page.length > 0; start += 1_000) {
      page = await events.getJobs(state, start, start + 999);
      found.push(...page.filter((job) => job !== undefined && matches(job))); // some may be gone
    }
  let count = 0;
  for (const job of found) if (await restart(job)) count++;
  return count;
}

const message = await runReplay(
  {
    list: async () => (await deadLetters.getJobs()).map(({ data }) => data),
    one: async (id) => {
      const job = await events.getJob(toJobId(id));
      return job === undefined ? undefined : restart(job);
    },
    failed: () => restartAll(['failed'], () => true),
    period: (from, to) =>
      restartAll(['completed', 'failed'], ({ timestamp }) => timestamp >= +from && timestamp < +to),
  },
  process.argv.slice(2),
);
console.log(message);
redis.disconnect();
