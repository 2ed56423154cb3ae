import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { bundledScript } from '../../test/support/bundled-script.js';

/** A process's reply to a task. */
export interface Reply {
  readonly outcome: string;
  /** Whether the task is acknowledged. Otherwise a process receives it again. */
  readonly isDone: boolean;
  /** A promise that the package broke. */
  readonly failure?: string;
}

/** A process from its start to its end. Another process with another name replaces it. */
export interface Life {
  readonly name: string;
  readonly child: ChildProcess;
  /** The tasks without a reply, by number. */
  readonly waiting: Map<number, (reply: Reply | undefined) => void>;
  /** The system's time when the process was killed. */
  killedAt?: number;
}

/** Manages processes that are killed and restarted. */
export class Fleet {
  readonly #script: string;
  readonly #options: object;
  readonly #events = new EventEmitter();
  readonly #children = new Set<ChildProcess>();
  #isClosed = false;
  #failure: Error | undefined;
  #asked = 0;
  /** The running processes. */
  readonly up: Life[] = [];
  /** Every process by its name, including ended processes. */
  readonly lives = new Map<string, Life>();

  private constructor(script: string, options: object) {
    this.#script = script;
    this.#options = options;
  }

  /** Starts processes. Each gets the options and its name as JSON, and sends a message when it is ready. */
  static async start(size: number, options: object): Promise<Fleet> {
    const script = await bundledScript(new URL('./process.js', import.meta.url));
    const fleet = new Fleet(script, options);
    for (let started = 0; started < size; started++) fleet.#start();
    while (fleet.up.length < size) {
      await once(fleet.#events, 'change');
      if (fleet.#failure !== undefined) throw fleet.#failure;
    }
    return fleet;
  }

  get kills(): number {
    return [...this.lives.values()].filter(({ killedAt }) => killedAt !== undefined).length;
  }

  /** Returns a running process, chosen by a number from 0 to 1. */
  pick(chance: number): Life | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.up[Math.floor(chance * this.up.length)];
  }

  /** Gives a process a task. The reply is undefined if the process dies first. */
  ask({ child, waiting }: Life, task: number): Promise<Reply | undefined> {
    return new Promise((resolve) => {
      const id = this.#asked++;
      waiting.set(id, resolve);
      child.send({ id, task }, () => undefined);
    });
  }

  /** Kills a process, which is then replaced. */
  kill(life: Life): void {
    if (!this.up.includes(life)) return;
    this.#remove(life);
    life.killedAt = Date.now();
    life.child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#children].map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  #remove(life: Life): void {
    const place = this.up.indexOf(life);
    if (place >= 0) this.up.splice(place, 1);
  }

  #start(): void {
    const name = String(this.lives.size);
    const child = fork(this.#script, [JSON.stringify({ ...this.#options, name })], { execArgv: [] });
    const life: Life = { name, child, waiting: new Map() };
    this.lives.set(name, life);
    this.#children.add(child);
    child.once('message', () => {
      this.up.push(life);
      this.#events.emit('change');
      child.on('message', ({ id, ...reply }: Reply & { readonly id: number }) => {
        life.waiting.get(id)?.(reply);
        life.waiting.delete(id);
      });
    });
    child.once('exit', (code) => {
      this.#children.delete(child);
      this.#remove(life);
      for (const end of life.waiting.values()) end(undefined);
      if (code !== null) {
        // A process must not end on its own.
        this.#failure = new Error(`The process ${name} ended with ${code}.`);
        this.#events.emit('change');
      } else if (!this.#isClosed) this.#start();
    });
  }
}
