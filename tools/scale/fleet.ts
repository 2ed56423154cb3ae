import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { bundledScript } from '../../test/support/bundled-script.js';

/** A process from its start to its end. Another process with another name replaces it. */
export interface Life<Ready = unknown> {
  readonly name: string;
  readonly child: ChildProcess;
  /** Its first message. */
  readonly ready: Ready;
  /** The system's time when the process was killed. */
  killedAt?: number;
}

/** Manages processes that are killed and restarted. */
export class Fleet<Ready = unknown> {
  readonly #script: string;
  readonly #options: object;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #children = new Set<ChildProcess>();
  #isClosed = false;
  #failure: Error | undefined;
  #started = 0;
  /** The running processes. */
  readonly up: Life<Ready>[] = [];
  /** Every process by its name, including ended processes. */
  readonly lives = new Map<string, Life<Ready>>();

  private constructor(script: string, options: object) {
    this.#script = script;
    this.#options = options;
  }

  /** Starts processes. Each gets the options and its name as JSON, and sends a message when it is ready. */
  static async start<Ready>(script: URL, size: number, options: object): Promise<Fleet<Ready>> {
    const fleet = new Fleet<Ready>(await bundledScript(script), options);
    for (let started = 0; started < size; started++) fleet.#start();
    while (fleet.up.length < size) await fleet.next();
    return fleet;
  }

  get kills(): number {
    return [...this.lives.values()].filter(({ killedAt }) => killedAt !== undefined).length;
  }

  /** Waits until another process is ready. */
  async next(): Promise<void> {
    await once(this.#events, 'up');
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Returns a running process, chosen by a number from 0 to 1. */
  pick(chance: number): Life<Ready> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.up[Math.floor(chance * this.up.length)];
  }

  /** Kills a process, which is then replaced. Returns false if it has ended before. */
  kill(life: Life<Ready>): boolean {
    if (!this.#remove(life)) return false;
    life.killedAt = Date.now();
    life.child.kill('SIGKILL');
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#children].map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  #remove(life: Life<Ready>): boolean {
    const place = this.up.indexOf(life);
    if (place >= 0) this.up.splice(place, 1);
    return place >= 0;
  }

  #start(): void {
    const name = String(this.#started++);
    const child = fork(this.#script, [JSON.stringify({ ...this.#options, name })], { execArgv: [] });
    child.setMaxListeners(0);
    this.#children.add(child);
    let life: Life<Ready> | undefined;
    child.once('message', (ready) => {
      life = { name, child, ready: ready as Ready };
      this.lives.set(name, life);
      this.up.push(life);
      this.#events.emit('up');
    });
    child.once('exit', (code) => {
      this.#children.delete(child);
      if (life !== undefined) this.#remove(life);
      if (code !== null) {
        // A process must not end on its own.
        this.#failure = new Error(`The process ${name} ended with ${code}.`);
        this.#events.emit('up');
      } else if (!this.#isClosed) this.#start();
    });
  }
}
