// Sends the mail, the invoice and the parcel of paid orders. Run any number of workers. Each can die at any moment.
import { workEach } from '../boss.js';
import { milliseconds, required } from '../settings.js';
import { startQueues, type Task, type TaskJob, tasks } from './tasks.js';

const services = required('SERVICES_URL');
const timeout = milliseconds('SERVICE_TIMEOUT', 30_000); // less than the queue's `expireInSeconds`
const boss = await startQueues(required('POSTGRES_URL'));

/** Calls a service. A job can run twice, so both requests have the same key, which the service recognises. */
async function perform(task: Task, order: string): Promise<void> {
  const response = await fetch(`${services}/${task}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${task}-${order}` },
    body: JSON.stringify({ order }),
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The ${task} of ${order} got a ${response.status}.`);
}

for (const task of tasks) await workEach<TaskJob>(boss, task, ({ order }) => perform(task, order));
console.log('ready');
