import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** By how many milliseconds calls settle too late in a process of their own; the best of a few, because others use the machine. */
export async function lateness(
  engine: string,
  { timeout, calls, goal }: { readonly timeout: number; readonly calls: number; readonly goal: number },
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 4 && best > goal; turn++) {
    const script = new URL('./first-call.js', import.meta.url).pathname;
    const { stdout } = await run('npx', ['tsx', script, engine, String(timeout), String(calls)]);
    const { late, outcomes } = JSON.parse(stdout);
    if (String(outcomes) !== 'TimeoutError') throw new Error(`A call ended with ${outcomes}.`);
    best = Math.min(best, late);
  }
  return best;
}
