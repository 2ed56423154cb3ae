import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, onTestFinished, vi } from 'vitest';
import { reportFailure } from '../../cli/failure.js';
import { createProgram } from '../../cli/program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the command in a folder that can resolve the packages, and returns the command's path. */
export async function builtCommand(): Promise<string> {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  await build({
    entryPoints: { cli: join(root, 'sandbox/cli/index.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return join(folder, 'cli.mjs');
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The test must not depend on variables of this process that the commands read. */
const clean = { PAYMENT_PLATFORM_BASE_URL: '', PAYMENT_PLATFORM_WEBHOOK_SECRET: '' };

function start(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = { ...process.env, ...clean, ...env };
  const input = Object.fromEntries(Object.entries(inherited).filter(([, value]) => value !== ''));
  return spawn(process.execPath, [command, ...args], { env: input });
}

/** Runs a command to its end. */
export async function run(
  command: string,
  args: readonly string[],
  { env, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const child = start(command, args, env);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs a command in this process. */
export async function ran(args: readonly string[]): Promise<Ended & { error: unknown }> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    const error = await createProgram()
      .parseAsync(args, { from: 'user' })
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    return { error, code: error === undefined ? 0 : reportFailure(error), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A command that runs until the test ends it. */
export class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #stderr: Promise<string>;

  constructor(command: string, args: readonly string[], env: Record<string, string> = {}) {
    this.child = start(command, args, env);
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.#stderr = readText(this.child.stderr);
    onTestFinished(() => {
      this.child.kill('SIGKILL');
    });
  }

  /** Returns the next line of output. */
  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`The command has ended: ${await this.#stderr}`);
    return value;
  }

  /** Returns the lines up to the first match. */
  async until(pattern: RegExp): Promise<string[]> {
    const lines: string[] = [];
    do lines.push(await this.line());
    while (!pattern.test(lines.at(-1) ?? ''));
    return lines;
  }

  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<{ code: number | null; stderr: string }> {
    const closed = once(this.child, 'close') as Promise<[number | null]>;
    this.child.kill(signal);
    const [code] = await closed;
    return { code, stderr: await this.#stderr };
  }
}

async function readText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

export interface Ready {
  url: string;
  clientId: string;
  clientSecret: string;
  page: string;
  webhookSecret?: string;
}

/** Reads the lines that a sandbox prints when it is ready. */
export function readyFrom(lines: readonly string[]): Ready {
  const text = lines.join('\n');
  const exported = (name: string) =>
    new RegExp(`export PAYMENT_PLATFORM_${name}=(\\S+)`).exec(text)?.[1] ?? '';
  return {
    url: exported('BASE_URL'),
    clientId: exported('CLIENT_ID'),
    clientSecret: exported('CLIENT_SECRET'),
    page: /Page +(\S+)/.exec(text)?.[1] ?? '',
  };
}

/** Starts a sandbox in its own process. */
export async function startSandbox(
  command: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ready & { process: Running }> {
  const process = new Running(command, ['sandbox', '--port', '0', '--json', ...args], env);
  const ready: Ready = JSON.parse(await process.line());
  return { ...ready, process };
}

/** Creates a target for `call` in the sandbox's tests. */
export const toTarget = ({ url, clientId, clientSecret }: Ready) => ({
  clientOptions: () => ({ baseUrl: url, clientId, clientSecret }),
});
