import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const built = fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url));
const inBuild = (script: string) => join(built, script.replace(/ts$/, 'mjs'));

// A start of JavaScript takes half as long as one with tsx.
await build({
  entryPoints: [
    ...['outbox', 'webhooks', 'webhooks-pg-boss'].flatMap((name) =>
      ['receiver', 'worker', 'replay'].map((script) => `${name}/${script}.ts`),
    ),
    'payments/worker.ts',
    'test/die.ts',
  ],
  absWorkingDir: folder,
  outdir: built,
  outbase: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  sourcemap: 'inline',
});

/** Starts a program of this folder. */
const spawnProgram = (script: string, env: Readonly<Record<string, string>>, args: readonly string[] = []) =>
  spawn(
    process.execPath,
    ['--enable-source-maps', '--import', inBuild('test/die.ts'), inBuild(script), ...args],
    { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );

/** Runs a program to its end. @returns its output, and its exit code unless it was killed */
export async function run(script: string, env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawnProgram(script, env, args);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { output: output.trim(), code: (code ?? undefined) as number | undefined };
}

/**
 * Runs a program that kills itself (see die.ts). Calls `act` with the line that the program printed, and
 * ends the program when `act` resolves.
 *
 * @returns whether the program had killed itself before
 */
export async function runUntilStep(
  script: string,
  env: Readonly<Record<string, string>>,
  at: { readonly DIE_AT: string } | { readonly DIE_AFTER: string },
  act: (line: string, died: Promise<unknown>) => Promise<unknown>,
): Promise<boolean> {
  const child = spawnProgram(script, { ...env, ...at });
  const died = once(child, 'exit');
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), died]);
  await act(String(line[0]), died);
  const hasDied = await Promise.race([died.then(() => true), setTimeout(300, false)]);
  child.kill('SIGKILL');
  await died;
  return hasDied;
}

/** Runs several processes of a program. A killed process is started again. */
export class Processes {
  readonly #script: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ready = new Map<ChildProcess, string>();
  readonly #starting = new Set<Promise<void>>();
  readonly #all = new Set<ChildProcess>();
  #failure: Error | undefined;
  #isClosed = false;
  kills = 0;

  constructor(script: string, env: Readonly<Record<string, string>>) {
    this.#script = script;
    this.#env = env;
  }

  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  /** Returns the line that a ready process printed. Undefined if no process is ready. */
  anyOf(): string | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return pick([...this.#ready.values()]);
  }

  /** Kills a ready process with SIGKILL. */
  kill(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const child = pick([...this.#ready.keys()]);
    if (child === undefined) return;
    this.#ready.delete(child);
    this.kills++;
    child.kill('SIGKILL');
    const starting = this.#startOne();
    this.#starting.add(starting);
    void starting.finally(() => this.#starting.delete(starting));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const child of this.#all) child.kill('SIGKILL');
    await Promise.all(this.#starting);
  }

  async #startOne(): Promise<void> {
    const child = spawnProgram(this.#script, this.#env);
    this.#all.add(child);
    const ended = once(child, 'exit').then(([code]) => {
      this.#all.delete(child);
      if (code !== null) this.#failure = new Error(`${this.#script} ended with ${code}.`);
    });
    const said = once(createInterface({ input: child.stdout }), 'line');
    const line = await Promise.race([said, ended]);
    if (line !== undefined && !this.#isClosed) this.#ready.set(child, String(line[0]));
  }
}

export const pick = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)];
