import { setTimeout } from 'node:timers/promises';
import { randomFrom, shuffle } from '../../test/support/random.js';
import { Fleet, type Life } from './fleet.js';
import type { ProcessOptions } from './process.js';

/** The figures of a load, by name. */
export type Figures = Readonly<Record<string, number>>;

/** A load, and the guarantees to check after it. */
export interface Scenario {
  readonly name: string;
  /** The required programs. */
  readonly needs: readonly string[];
  /**
   * Runs the load. Rejects if a promise is broken, and otherwise returns the figures. `part` is the share of
   * the whole load, up to 1.
   */
  run(options: { readonly part: number; readonly seed: number }): Promise<Figures>;
}

/**
 * An injected fault. `stall` suspends a process for twice its lease, like a machine that swaps or is migrated.
 */
type Fault = 'kill' | 'stall' | (() => unknown);

/** A store that processes share, while it is in use. */
interface OpenStore {
  /** Its part of the processes' options. */
  readonly options: Omit<ProcessOptions, 'name' | 'lease'>;
  /** The faults, which come in turn. */
  readonly faults: readonly Fault[];
  /** A fault that comes once, in the middle. */
  readonly once?: () => unknown;
  /**
   * Rejects if a promise is broken, and otherwise returns the figures.
   *
   * @param outcomes the number of replies per outcome, and of `no response`
   */
  judge(tasks: number, fleet: Fleet, outcomes: Figures): Figures | Promise<Figures>;
  close(): unknown;
}

/** A load of numbered tasks, such as deliveries or orders, over a store. */
interface Load extends Pick<Scenario, 'name' | 'needs'> {
  /** The number of tasks of the whole load, and how often processes receive each. */
  readonly tasks: number;
  readonly copies: number;
  /** The lease of a claim, in milliseconds. */
  readonly lease: number;
  /** The mean number of replies from one fault to the next. */
  readonly spacing: number;
  /** The least number of faults and of kills in the whole load. */
  readonly least: { readonly faults: number; readonly kills: number };
  open(part: number, random: () => number): Promise<OpenStore>;
}

/** The number of processes. Half of them stay up. */
const size = 4;
const concurrency = 64;
/** The run counts as stuck after this many milliseconds without an acknowledgement. */
const patience = 60_000;

/** Gives tasks to processes that share a store, while faults happen to both. */
export const overStore = ({
  name,
  needs,
  tasks: all,
  copies,
  lease,
  spacing,
  least,
  open,
}: Load): Scenario => ({
  name,
  needs,
  async run({ part, seed }) {
    const random = randomFrom(seed);
    const tasks = all * part;
    const store = await open(part, random);
    const fleet = await Fleet.start(size, { ...store.options, lease });
    try {
      const injector = new FaultInjector(random, store, spacing, {
        kill: (life) => fleet.up.length > size / 2 && fleet.kill(life),
        stall: ({ child }) => {
          child.kill('SIGSTOP');
          void setTimeout(2 * lease).then(() => child.kill('SIGCONT'));
        },
      });
      const outcomes = await drive(fleet, tasks, copies, random, injector.onReply);
      const figures = await store.judge(tasks, fleet, outcomes);
      if (injector.injected < least.faults * part || fleet.kills < least.kills * part)
        throw new Error(`Only ${injector.injected} faults, and ${fleet.kills} kills.`);
      return {
        tasks,
        'times given': tasks * copies,
        faults: injector.injected,
        kills: fleet.kills,
        ...figures,
        ...Object.fromEntries(Object.entries(outcomes).sort()),
      };
    } finally {
      await fleet.close();
      await store.close();
    }
  },
});

/**
 * Gives each task to processes, in any order and to any process, until it is acknowledged. Counts the outcomes.
 *
 * @param onReply receives each process that replied or died, with the share of acknowledged tasks, from 0 to 1
 */
async function drive(
  fleet: Fleet,
  tasks: number,
  copies: number,
  random: () => number,
  onReply: (life: Life, progress: number) => void,
): Promise<Figures> {
  const total = tasks * copies;
  const waiting = shuffle(
    Array.from({ length: total }, (_, index) => index % tasks),
    random,
  );
  const outcomes: Record<string, number> = {};
  let acknowledged = 0;
  let lastProgress = performance.now();
  let isOver = false;

  async function lane(): Promise<void> {
    while (acknowledged < total && !isOver) {
      if (performance.now() - lastProgress > patience)
        throw new Error(`Stuck: ${acknowledged} of ${total} tasks are acknowledged.`);
      const life = fleet.pick(random());
      const task = life && waiting.pop();
      if (life === undefined || task === undefined) {
        await setTimeout(20);
        continue;
      }
      const { outcome = 'no response', isDone = false, failure } = (await fleet.ask(life, task)) ?? {};
      if (failure !== undefined) throw new Error(`Task ${task}: ${failure}`);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (isDone) {
        acknowledged++;
        lastProgress = performance.now();
      } else void setTimeout(20 + random() * 180).then(() => waiting.push(task));
      onReply(life, acknowledged / total);
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    isOver = true;
  }
  return outcomes;
}

/** Injects one fault at a time, some replies after the previous one. The end of the run has no faults. */
class FaultInjector {
  readonly #store: OpenStore;
  readonly #random: () => number;
  readonly #spacing: number;
  readonly #ofProcesses: Readonly<Record<'kill' | 'stall', (life: Life) => unknown>>;
  #replies = 0;
  #next: number;
  #isFaulty = false;
  #failure: unknown;
  #once: OpenStore['once'];
  injected = 0;

  constructor(
    random: () => number,
    store: OpenStore,
    spacing: number,
    ofProcesses: Readonly<Record<'kill' | 'stall', (life: Life) => unknown>>,
  ) {
    this.#random = random;
    this.#store = store;
    this.#once = store.once;
    this.#spacing = spacing;
    this.#next = spacing;
    this.#ofProcesses = ofProcesses;
  }

  /** The driver calls this at each reply. Throws if the previous fault failed. */
  readonly onReply = (life: Life, progress: number): void => {
    if (this.#failure !== undefined) throw this.#failure;
    if (++this.#replies < this.#next || this.#isFaulty || progress > 0.97) return;
    this.#next = this.#replies + this.#spacing * (0.4 + 1.2 * this.#random());
    this.#isFaulty = true;
    this.#inject(life, progress)
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#isFaulty = false;
      });
  };

  async #inject(life: Life, progress: number): Promise<void> {
    const { faults } = this.#store;
    const fault = faults[this.injected++ % faults.length] as Fault;
    const once = progress > 0.5 ? this.#once : undefined;
    if (once !== undefined) this.#once = undefined;
    if (once !== undefined) await once();
    else await (typeof fault === 'string' ? this.#ofProcesses[fault](life) : fault());
  }
}
