import { sign } from 'payment-platform/webhooks';
import { shuffle } from '../../test/support/random.js';
import type { Fleet, Life } from './fleet.js';

export interface SendOptions {
  readonly fleet: Fleet;
  readonly events: number;
  /** The number of times that each event is delivered. */
  readonly copies: number;
  readonly random: () => number;
  /** Receives each response, with the share of acknowledged deliveries, from 0 to 1. */
  readonly onResponse: (life: Life, progress: number) => void;
}

/** The sender's results. */
export interface Sent {
  /** The runs that were reported as handled, by event. */
  readonly handled: ReadonlyMap<string, readonly string[]>;
  /** The number of responses per outcome, and of `no response`. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly attempts: number;
}

export const secret = 'whsec_0123456789abcdef';

const concurrency = 64;
/** The run counts as stuck after this many milliseconds without an acknowledgement. */
const patience = 60_000;

export const eventName = (index: number) => `event-${index}`;

/** Sends every delivery, in any order and through any process, until each is acknowledged. */
export async function send({ fleet, events, copies, random, onResponse }: SendOptions): Promise<Sent> {
  const total = events * copies;
  const queue = shuffle(
    Array.from({ length: total }, (_, index) => index % events),
    random,
  );
  const handled = new Map<string, string[]>();
  const outcomes = new Map<string, number>();
  let acknowledged = 0;
  let attempts = 0;
  let lastProgress = performance.now();

  /** Makes one attempt, and returns whether it was acknowledged. */
  async function attempt(life: Life, name: string): Promise<boolean> {
    const body = JSON.stringify({ event: 'transaction.paid', id: name, status: 'paid', amount: 1990 });
    const headers = { ...sign({ body, secret }), 'content-type': 'application/json' };
    try {
      const response = await life.http.request({ path: '/', method: 'POST', body, headers });
      await response.body.dump();
      const outcome = String(response.headers['x-outcome']);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 'handled')
        handled.set(name, [...(handled.get(name) ?? []), String(response.headers['x-run'])]);
      return response.statusCode >= 200 && response.statusCode < 300;
    } catch {
      outcomes.set('no response', (outcomes.get('no response') ?? 0) + 1);
      return false;
    }
  }

  await new Promise<void>((resolve, reject) => {
    let running = 0;
    const retry = (index: number) => {
      const again = () => {
        queue.push(index);
        next();
      };
      setTimeout(again, 20 + random() * 180);
    };
    const next = () => {
      if (performance.now() - lastProgress > patience)
        return reject(new Error(`Stuck: ${acknowledged} of ${total} deliveries are acknowledged.`));
      while (running < concurrency && queue.length > 0) {
        const index = queue.pop() as number;
        let life: Life | undefined;
        try {
          life = fleet.pick(random());
        } catch (error) {
          return reject(error);
        }
        if (life === undefined) {
          retry(index);
          continue;
        }
        running++;
        attempts++;
        const chosen = life;
        attempt(chosen, eventName(index)).then((isAcknowledged) => {
          running--;
          if (isAcknowledged) {
            acknowledged++;
            lastProgress = performance.now();
          } else retry(index);
          onResponse(chosen, acknowledged / total);
          if (acknowledged === total) resolve();
          else next();
        }, reject);
      }
    };
    next();
  });
  return { handled, outcomes, attempts };
}

/**
 * Injects one fault at a time, 20 to 80 responses after the previous one. The end of the run has no faults.
 */
export class FaultInjector {
  readonly #nextFault: (injected: number, progress: number) => (life: Life) => unknown;
  readonly #random: () => number;
  #responses = 0;
  #next = 40;
  #isFaulty = false;
  #failure: unknown;
  injected = 0;

  constructor(
    random: () => number,
    nextFault: (injected: number, progress: number) => (life: Life) => unknown,
  ) {
    this.#random = random;
    this.#nextFault = nextFault;
  }

  /** The sender calls this at each response. Throws if the previous fault failed. */
  readonly onResponse = (life: Life, progress: number): void => {
    if (this.#failure !== undefined) throw this.#failure;
    if (++this.#responses < this.#next || this.#isFaulty || progress > 0.97) return;
    this.#next = this.#responses + 20 + this.#random() * 60;
    this.#isFaulty = true;
    Promise.resolve(this.#nextFault(this.injected++, progress)(life))
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#isFaulty = false;
      });
  };
}
