// Commands and servers in separate processes.
import { spawn } from 'node:child_process';

/**
 * Runs a command to its end. Resolves with its output. If the command fails or takes too long, rejects with
 * its output.
 */
export function run(command, args, { cwd, env = {}, seconds = 600 }) {
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
 * @param address finds the address in a line of the output
 * @returns `until`, which resolves when the output contains a pattern. A response can arrive before an
 * earlier line of output. It rejects when the server ends or takes too long.
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
  const streams = [child.stdout, child.stderr];
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${printed.trim()}\n(${command} did not print ${pattern})`.trim()));
      const timer = setTimeout(fail, seconds * 1000);
      const look = () => {
        const found = pattern.exec(printed);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found);
      };
      for (const stream of streams) stream.on('data', look);
      child.on('error', reject);
      closed.then(fail).finally(() => clearTimeout(timer));
      look();
    });
  try {
    const [, url] = await until(address);
    return { url, printed: () => printed, until, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Turns off the tools' colours, notices and telemetry. */
const quiet = {
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  DO_NOT_TRACK: '1',
};
