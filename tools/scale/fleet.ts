import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { bundledScript } from '../../test/support/bundled-script.js';
import type { ReceiverProcessOptions } from './receiver-process.js';

/** A process from its start to its end. Another process with another name replaces it. */
export interface Life {
  readonly name: string;
  readonly slot: number;
  readonly child: ChildProcess;
  readonly http: Pool;
  /** The system's time when the process was killed. */
  readonly killedAt: number | undefined;
}

/** The number of processes. */
const size = 4;

type OpenLife = { -readonly [Field in keyof Life]: Life[Field] };

/** Manages processes that are killed and restarted. */
export class Fleet {
  readonly #script: string;
  readonly #options: Omit<ReceiverProcessOptions, 'name'>;
  readonly #up: OpenLife[] = [];
  readonly #starting = new Set<Promise<void>>();
  #isClosed = false;
  #failure: Error | undefined;
  /** Every process by its name, including ended processes. */
  readonly lives = new Map<string, Life>();

  private constructor(script: string, options: Omit<ReceiverProcessOptions, 'name'>) {
    this.#script = script;
    this.#options = options;
  }

  static async start(options: Omit<ReceiverProcessOptions, 'name'>): Promise<Fleet> {
    const fleet = new Fleet(await bundledScript(new URL('./receiver-process.js', import.meta.url)), options);
    await Promise.all(Array.from({ length: size }, (_, slot) => fleet.#start(slot)));
    return fleet;
  }

  /** Returns a running process, chosen by a number from 0 to 1. */
  pick(chance: number): Life | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#up[Math.floor(chance * this.#up.length)];
  }

  get kills(): number {
    return [...this.lives.values()].filter(({ killedAt }) => killedAt !== undefined).length;
  }

  /**
   * Kills a process and starts another. Half of the processes must stay up, so this returns false if only
   * half are up.
   */
  kill(input: Life): boolean {
    const life = input as OpenLife;
    const place = this.#up.indexOf(life);
    if (place < 0 || this.#up.length <= size / 2) return false;
    this.#up.splice(place, 1);
    life.killedAt = Date.now();
    life.child.kill('SIGKILL');
    const starting = this.#start(life.slot).catch((error) => {
      this.#failure = error;
    });
    this.#starting.add(starting);
    void starting.finally(() => this.#starting.delete(starting));
    void life.http.destroy();
    return true;
  }

  /** Suspends a process, like a machine that swaps or is migrated. */
  stall({ child }: Life, milliseconds: number): void {
    child.kill('SIGSTOP');
    setTimeout(() => child.kill('SIGCONT'), milliseconds);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#starting);
    for (const { child, http } of this.#up.splice(0)) {
      child.kill('SIGKILL');
      await http.destroy();
    }
  }

  async #start(slot: number): Promise<void> {
    const name = `${slot}.${this.lives.size}`;
    const reserved = {} as OpenLife;
    this.lives.set(name, reserved);
    const child = spawn(process.execPath, [this.#script, JSON.stringify({ ...this.#options, name })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('exit', (code) => {
      // A process must not end on its own.
      if (code !== null) this.#failure = new Error(`The process ${name} ended with ${code}.`);
    });
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const http = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
    Object.assign(reserved, { name, slot, child, http, killedAt: undefined });
    if (this.#isClosed) child.kill('SIGKILL');
    else this.#up.push(reserved);
  }
}
