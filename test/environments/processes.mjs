// Commands and servers that run beside the runner.
import { spawn } from 'node:child_process';

/** Runs a command to its end. Resolves with what it printed, and rejects with that if it fails or takes too long. */
export function run(command, args, { cwd, env = {}, seconds = 120 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...quiet, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const keep = (chunk) => {
      printed += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(printed);
      const end = signal === null ? `exit code ${code}` : `${signal}, after ${seconds} s at most`;
      reject(new Error(`${printed.trim()}\n(${end})`.trim()));
    });
  });
}

/**
 * Starts a server, and resolves when it prints its address.
 *
 * @param address finds it in a line of what was printed.
 */
export async function serve(command, args, { cwd, address, seconds = 60 }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise((resolve) => child.on('close', resolve));
  const stop = () => {
    child.kill();
    return closed;
  };
  let printed = '';
  try {
    const url = await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(printed.trim() || `${command} gave no address`));
      const timer = setTimeout(fail, seconds * 1000);
      const keep = (chunk) => {
        printed += chunk;
        const [, found] = address.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.setEncoding('utf8').on('data', keep);
      child.stderr.setEncoding('utf8').on('data', keep);
      child.on('error', reject);
      closed.then(fail).finally(() => clearTimeout(timer));
    });
    return { url, printed: () => printed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** No colours, notices and counting of users in what the tools print. */
const quiet = {
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  DO_NOT_TRACK: '1',
};
