import { lateness } from '../support/lateness.js';
import type { Scenario } from './scenario.js';

const calls = 1_000;
const most = 1_000;

/** Many calls with one deadline, in a process that has the machine for itself. */
export const deadlines: Scenario = {
  name: 'deadlines',
  needs: 'nothing',
  isThere: true,
  async run() {
    const late: Record<string, number> = {};
    for (const engine of ['node', 'ky']) {
      const milliseconds = await lateness(engine, { timeout: 300, calls, goal: most });
      if (milliseconds > most)
        throw new Error(`On the ${engine} engine a call settled ${milliseconds} ms after its deadline.`);
      late[`milliseconds that the last of ${calls} calls is late, ${engine} engine`] =
        Math.round(milliseconds);
    }
    return late;
  },
};
