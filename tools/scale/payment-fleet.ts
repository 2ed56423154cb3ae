import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { bundledScript } from '../../test/support/bundled-script.js';
import type { Order, PaymentProcessOptions, Reply } from './payment-process.js';

/** A process from its start to its end. */
interface Life {
  readonly child: ChildProcess;
  /** The orders that the process has not responded to. */
  readonly open: Map<string, (outcome: Reply['outcome']) => void>;
}

/** Manages a shop's processes, which are killed and restarted. */
export class PaymentFleet {
  readonly #script: string;
  readonly #options: PaymentProcessOptions;
  readonly #random: () => number;
  readonly #lives = new Set<Life>();
  readonly #up: Life[] = [];
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #killing: Promise<void>[] = [];
  #isClosed = false;
  kills = 0;
  /** Number of orders without a response when their process was killed. */
  withoutResponse = 0;

  private constructor(script: string, options: PaymentProcessOptions, random: () => number) {
    this.#script = script;
    this.#options = options;
    this.#random = random;
  }

  static async start(
    size: number,
    options: PaymentProcessOptions,
    random: () => number,
  ): Promise<PaymentFleet> {
    const script = await bundledScript(new URL('./payment-process.ts', import.meta.url));
    const fleet = new PaymentFleet(script, options, random);
    for (let started = 0; started < size; started++) fleet.#start();
    while (fleet.#up.length < size) await once(fleet.#events, 'up');
    return fleet;
  }

  /**
   * Sends an order to a process. Returns `again` if the process dies first. `killAfter` kills the process
   * after that many milliseconds.
   */
  async take(order: Order, killAfter?: number): Promise<Reply['outcome']> {
    while (this.#up.length === 0) await once(this.#events, 'up');
    const life = this.#up[Math.floor(this.#random() * this.#up.length)] as Life;
    if (killAfter !== undefined) this.#killing.push(this.#kill(life, killAfter));
    return new Promise((resolve) => {
      life.open.set(order.key, resolve);
      // A dead process never replies, so its exit resolves the order.
      life.child.send(order, () => undefined);
    });
  }

  /** Waits until every scheduled kill is done. */
  async killed(): Promise<void> {
    await Promise.all(this.#killing);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#lives].map(({ child }) => once(child, 'exit'));
    for (const { child } of this.#lives) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  /**
   * Kills a process after a time. If the process has already ended, kills another process, or else the next
   * process to start.
   */
  async #kill(meant: Life, after: number): Promise<void> {
    await setTimeout(after);
    while (this.#up.length === 0) await once(this.#events, 'up');
    const life = this.#up.includes(meant) ? meant : (this.#up[0] as Life);
    this.#up.splice(this.#up.indexOf(life), 1);
    this.kills++;
    this.withoutResponse += life.open.size;
    life.child.kill('SIGKILL');
  }

  #start(): void {
    const child = fork(this.#script, [JSON.stringify(this.#options)], { execArgv: [] });
    const life: Life = { child, open: new Map() };
    this.#lives.add(life);
    child.on('message', (message: Reply | 'ready') => {
      if (message === 'ready') {
        this.#up.push(life);
        this.#events.emit('up');
        return;
      }
      life.open.get(message.key)?.(message.outcome);
      life.open.delete(message.key);
    });
    child.once('exit', (code) => {
      this.#lives.delete(life);
      // A process must not end on its own.
      const outcome = code === null ? 'again' : { failure: `A process ended with ${code}.` };
      for (const resolve of life.open.values()) resolve(outcome);
      if (!this.#isClosed) this.#start();
    });
  }
}
