// Lists the tasks that failed at every attempt, or runs them again: `npm run outbox-replay -- list`.
import { Pool } from 'pg';
import { listDeadLetters, restartJobs } from '../boss.js';
import { required } from '../settings.js';
import { type TaskJob, tasks } from './tasks.js';

const pool = new Pool({ connectionString: required('POSTGRES_URL') });
const [command] = process.argv.slice(2);

for (const task of tasks) {
  if (command === 'dead-letters') {
    console.log(`${task}: ${await restartJobs(pool, task, { isFailed: true })} failed jobs run again.`);
  } else if (command === 'list') {
    const letters = await listDeadLetters<TaskJob>(pool, task);
    console.log(`${task}: ${letters.length} dead letters`);
    for (const { data, reason } of letters) console.log(`${data.order}  ${reason}`);
  }
}
if (command !== 'dead-letters' && command !== 'list') {
  process.exitCode = 2;
  console.log('Usage: replay list | replay dead-letters');
}
await pool.end();
