import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

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
    this.#script = fileURLToPath(new URL(`../${script}`, import.meta.url));
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
    const child = spawn(process.execPath, ['--import', 'tsx', this.#script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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
