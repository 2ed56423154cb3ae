import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundledScript } from './bundled-script.js';

const run = promisify(execFile);
const script = new URL('./first-call.ts', import.meta.url);

/**
 * Runs calls in their own process, and returns the last call’s delay beyond its deadline in milliseconds.
 */
export async function lateness(
  engine: string,
  { timeout, calls }: { readonly timeout: number; readonly calls: number },
): Promise<number> {
  const args = [await bundledScript(script), engine, String(timeout), String(calls)];
  const { stdout } = await run(process.execPath, args);
  const { late, outcomes } = JSON.parse(stdout);
  if (String(outcomes) !== 'TimeoutError') throw new Error(`A call ended with ${outcomes}.`);
  return late;
}
