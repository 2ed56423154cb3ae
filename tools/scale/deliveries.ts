import { setTimeout } from 'node:timers/promises';
import { sign } from 'payment-platform/webhooks';
import { Pool } from 'undici';
import { randomFrom, shuffle } from '../../test/support/random.js';
import { Fleet, type Life } from './fleet.js';
import type { Figures, Scenario } from './main.js';
import type { ReceiverProcessOptions } from './receiver-process.js';

/** The sender's results. */
interface Sent {
  /** The runs that were reported as handled, by event. */
  readonly handled: ReadonlyMap<string, readonly string[]>;
  /** The number of responses per outcome, and of `no response`. */
  readonly outcomes: Record<string, number>;
  readonly attempts: number;
}

/**
 * An injected fault. `stall` suspends a process for twice its lease, like a machine that swaps or is migrated.
 */
type Fault = 'kill' | 'stall' | (() => unknown);

/** A store of deliveries that receivers share, while it is in use. */
interface OpenStore {
  /** Its part of the processes' options. */
  readonly options: Pick<ReceiverProcessOptions, 'store' | 'url' | 'log' | 'space'>;
  /** The faults, which come in turn. */
  readonly faults: readonly Fault[];
  /** A fault that comes once, in the middle. */
  readonly once?: () => unknown;
  /** Rejects if a promise is broken, and otherwise returns the figures. */
  judge(events: number, fleet: Fleet, sent: Sent): Figures | Promise<Figures>;
  close(): unknown;
}

/** A load of deliveries over a store. */
interface Load extends Pick<Scenario, 'name' | 'needs' | 'isThere'> {
  /** The number of events of the whole load, and how often each is delivered. */
  readonly events: number;
  readonly copies: number;
  /** The lease of a claim, in milliseconds. */
  readonly lease: number;
  /** The least number of faults and of kills in the whole load. */
  readonly least: { readonly faults: number; readonly kills: number };
  open(): Promise<OpenStore>;
}

const secret = 'whsec_0123456789abcdef';
/** The number of processes. Half of them stay up. */
const size = 4;
const concurrency = 64;
/** The run counts as stuck after this many milliseconds without an acknowledgement. */
const patience = 60_000;

export const eventName = (index: number) => `event-${index}`;

/** Delivers events through processes that share a store, while faults happen to both. */
export const overStore = ({ events: all, copies, lease, least, open, ...about }: Load): Scenario => ({
  ...about,
  async run({ part, seed }) {
    const random = randomFrom(seed);
    const events = all * part;
    const store = await open();
    const script = new URL('./receiver-process.js', import.meta.url);
    const fleet = await Fleet.start<number>(script, size, { ...store.options, lease, secret });
    try {
      const injector = new FaultInjector(random, store, {
        kill: (life) => fleet.up.length > size / 2 && fleet.kill(life),
        stall: async ({ child }) => {
          child.kill('SIGSTOP');
          void setTimeout(2 * lease).then(() => child.kill('SIGCONT'));
        },
      });
      const sent = await send(fleet, events, copies, random, injector.onResponse);
      const figures = await store.judge(events, fleet, sent);
      if (injector.injected < least.faults * part || fleet.kills < least.kills * part)
        throw new Error(`Only ${injector.injected} faults, and ${fleet.kills} kills.`);
      return {
        deliveries: events * copies,
        events,
        attempts: sent.attempts,
        faults: injector.injected,
        kills: fleet.kills,
        ...figures,
        ...Object.fromEntries(Object.entries(sent.outcomes).sort()),
      };
    } finally {
      await fleet.close();
      await store.close();
    }
  },
});

/**
 * Sends every delivery, in any order and through any process, until each is acknowledged.
 *
 * @param onResponse receives each response, with the share of acknowledged deliveries, from 0 to 1
 */
async function send(
  fleet: Fleet<number>,
  events: number,
  copies: number,
  random: () => number,
  onResponse: (life: Life, progress: number) => void,
): Promise<Sent> {
  const total = events * copies;
  const waiting = shuffle(
    Array.from({ length: total }, (_, index) => index % events),
    random,
  );
  const handled = new Map<string, string[]>();
  const outcomes: Record<string, number> = {};
  const pools = new Map<Life, Pool>();
  let acknowledged = 0;
  let attempts = 0;
  let lastProgress = performance.now();
  let isOver = false;

  /** Makes one attempt, and returns whether it was acknowledged. */
  async function attempt(life: Life<number>, name: string): Promise<boolean> {
    const body = JSON.stringify({ event: 'transaction.paid', id: name, status: 'paid', amount: 1990 });
    const headers = { ...sign({ body, secret }), 'content-type': 'application/json' };
    const pool = pools.get(life) ?? new Pool(`http://127.0.0.1:${life.ready}`, { connections: 32 });
    pools.set(life, pool);
    const response = await pool
      .request({ path: '/', method: 'POST', body, headers })
      .then(async (got) => got.body.dump().then(() => got))
      .catch(() => undefined);
    const outcome = response === undefined ? 'no response' : String(response.headers['x-outcome']);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'handled')
      handled.set(name, [...(handled.get(name) ?? []), String(response?.headers['x-run'])]);
    return Math.floor((response?.statusCode ?? 0) / 100) === 2;
  }

  async function lane(): Promise<void> {
    while (acknowledged < total && !isOver) {
      if (performance.now() - lastProgress > patience)
        throw new Error(`Stuck: ${acknowledged} of ${total} deliveries are acknowledged.`);
      const index = waiting.pop();
      const life = fleet.pick(random());
      if (index === undefined || life === undefined) {
        if (index !== undefined) waiting.push(index);
        await setTimeout(20);
        continue;
      }
      attempts++;
      if (await attempt(life, eventName(index))) {
        acknowledged++;
        lastProgress = performance.now();
      } else void setTimeout(20 + random() * 180).then(() => waiting.push(index));
      onResponse(life, acknowledged / total);
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    isOver = true;
    await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()));
  }
  return { handled, outcomes, attempts };
}

/**
 * Injects one fault at a time, 20 to 80 responses after the previous one. The end of the run has no faults.
 */
class FaultInjector {
  readonly #store: OpenStore;
  readonly #random: () => number;
  readonly #ofProcesses: Readonly<Record<'kill' | 'stall', (life: Life<number>) => unknown>>;
  #responses = 0;
  #next = 40;
  #isFaulty = false;
  #failure: unknown;
  #once: OpenStore['once'];
  injected = 0;

  constructor(
    random: () => number,
    store: OpenStore,
    ofProcesses: Readonly<Record<'kill' | 'stall', (life: Life<number>) => unknown>>,
  ) {
    this.#random = random;
    this.#store = store;
    this.#once = store.once;
    this.#ofProcesses = ofProcesses;
  }

  /** The sender calls this at each response. Throws if the previous fault failed. */
  readonly onResponse = (life: Life, progress: number): void => {
    if (this.#failure !== undefined) throw this.#failure;
    if (++this.#responses < this.#next || this.#isFaulty || progress > 0.97) return;
    this.#next = this.#responses + 20 + this.#random() * 60;
    this.#isFaulty = true;
    this.#inject(life as Life<number>, progress)
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#isFaulty = false;
      });
  };

  async #inject(life: Life<number>, progress: number): Promise<void> {
    const { faults } = this.#store;
    const fault = faults[this.injected++ % faults.length] as Fault;
    const once = progress > 0.5 ? this.#once : undefined;
    if (once !== undefined) this.#once = undefined;
    if (once !== undefined) await once();
    else await (typeof fault === 'string' ? this.#ofProcesses[fault](life) : fault());
  }
}
