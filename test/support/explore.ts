import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { load } from './load.js';

/** A step that a world can take next. */
export interface Step {
  readonly label: string;
  readonly run: () => void;
}

/** The world that runs. Its tasks read its clock. */
let current: World | undefined;

/** Failures of the environment. */
export const incidents = ['a process dies', 'a response is lost', 'a lease ends'] as const;
export type Incident = (typeof incidents)[number];

/** The incidents that happen in one run. With a larger LOAD, also combinations that take minutes. */
export const combinations: readonly (readonly [string, readonly Incident[]])[] = (
  [
    ['a process dies', 'a response is lost'],
    ['a process dies', 'a lease ends'],
    ...(load > 1 ? [['a response is lost', 'a lease ends'], incidents] : []),
  ] as readonly (readonly Incident[])[]
).map((together) => [together.join(', '), together] as const);

/** The longest pause before another attempt, in milliseconds. */
const longestPause = 1_000;

const lost = () => new Error('the response was lost');

interface Task {
  readonly process: string;
  /** The results that the task has learnt so far. The rest of a task depends on nothing else. */
  readonly history: string[];
}

interface Turn {
  readonly task: Task;
  readonly label: string;
  /** Executes the step, and passes its result to the task. */
  readonly run: (isLost: boolean) => void;
}

/**
 * Some processes, and everything outside of them. The code between two steps of a task runs alone, and each step
 * takes effect at once. `explore` decides the order.
 */
export abstract class World {
  /** Milliseconds, by the clock of every process and of the store. */
  now = 0;
  readonly #turns: Turn[] = [];
  readonly #tasks: Task[] = [];
  readonly #happened = new Set<Incident>();
  readonly #dead = new Set<string>();
  readonly #pauses: (() => void)[] = [];
  readonly #possible: readonly Incident[];
  /** The first promise that was broken. */
  broken: Error | undefined;
  abstract readonly lease: number;

  /** @param possible the incidents that can happen, each at most once */
  constructor(possible: readonly Incident[]) {
    this.#possible = possible;
    current = this;
  }

  /** Starts a task of a process. `step` gives each of its effects a turn. */
  protected start(process: string, work: (step: Stepper) => Promise<unknown>): void {
    const task: Task = { process, history: [] };
    this.#tasks.push(task);
    const end = (result: unknown) => task.history.push(`ends: ${print(result)}`);
    work((label, effect) => this.#step(task, label, effect)).then(end, end);
  }

  #step<Result>(task: Task, label: string, effect: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = (isLost: boolean) => {
        Promise.resolve()
          .then(effect)
          .then(
            (result) => {
              task.history.push(`${label}: ${isLost ? 'lost' : print(result)}`);
              if (isLost) reject(lost());
              else resolve(result);
            },
            (error: unknown) => {
              task.history.push(`${label}: ${print(error)}`);
              reject(error);
            },
          );
      };
      this.#turns.push({ task, label, run });
    });
  }

  /** Remembers the pause before another attempt. */
  addPause(run: () => void, milliseconds: number): object {
    if (milliseconds <= longestPause) this.#pauses.push(run);
    return run;
  }

  removePause(run: object): void {
    const index = this.#pauses.indexOf(run as () => void);
    if (index >= 0) this.#pauses.splice(index, 1);
  }

  /** Lists the possible next steps: the next effect of each task, with or without its response, and the incidents. */
  steps(): Step[] {
    const alive = this.#turns.filter(({ task }) => !this.#dead.has(task.process));
    const take = (turn: Turn, isLost: boolean) => () => {
      this.#turns.splice(this.#turns.indexOf(turn), 1);
      turn.run(isLost);
    };
    const can = (incident: Incident) => !this.#happened.has(incident) && this.#possible.includes(incident);
    const once = (incident: Incident, run: () => void) => () => {
      this.#happened.add(incident);
      run();
    };
    const processes = new Set(alive.map(({ task }) => task.process));
    return [
      ...alive.map((turn) => ({ label: `${turn.task.process}: ${turn.label}`, run: take(turn, false) })),
      ...this.#pauses.map((end) => ({
        label: 'a pause ends',
        run: () => {
          this.removePause(end);
          end();
        },
      })),
      ...(can('a response is lost') ? alive : []).map((turn) => ({
        label: `${turn.task.process}: ${turn.label}, and the response is lost`,
        run: once('a response is lost', take(turn, true)),
      })),
      ...(can('a process dies') ? [...processes] : []).map((process) => ({
        label: `${process} dies`,
        run: once('a process dies', () => void this.#dead.add(process)),
      })),
      ...(can('a lease ends') && alive.length > 0
        ? [
            {
              label: 'a lease ends',
              run: once('a lease ends', () => {
                this.now += this.lease + 1;
              }),
            },
          ]
        : []),
    ];
  }

  /** Describes everything that decides how the run can go on. */
  describe(): string {
    const tasks = this.#tasks
      .filter(({ process }) => !this.#dead.has(process))
      .map(({ process, history }) => [process, ...history])
      .sort();
    return JSON.stringify([
      tasks,
      [...this.#happened].sort(),
      [...this.#dead],
      this.#pauses.length,
      this.now,
      this.state(),
    ]);
  }

  /** Returns the state outside of the processes. */
  protected abstract state(): unknown;

  /** Lets everything come to an end without further incidents, and throws if a promise was broken. */
  abstract finish(): Promise<void>;

  /** Takes the next step of each task until none is left. */
  protected async settle(): Promise<void> {
    for (await quiet(); ; await quiet()) {
      const [next] = this.steps();
      if (next === undefined || next.label.endsWith(' dies') || next.label === 'a lease ends') return;
      next.run();
    }
  }
}

/** Gives an effect its turn, and returns its result. */
export type Stepper = <Result>(label: string, effect: () => Result | Promise<Result>) => Promise<Result>;

const print = (value: unknown) => (value instanceof Error ? value.message : JSON.stringify(value));

/** Waits until no task can go on without a step. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Makes everything else of the processes deterministic and immediate: digests, identifiers, random pauses, and
 * time, which only the world moves. A pause ends by a step of the world, and so does a lease.
 * Longer time limits never end.
 */
function freeze(): void {
  vi.spyOn(performance, 'now').mockImplementation(() => current?.now ?? 0);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
    const digest = createHash('sha256')
      .update(data as Uint8Array)
      .digest();
    return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.length) as ArrayBuffer;
  });
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds: number) =>
    current?.addPause(run, milliseconds),
  );
  vi.stubGlobal('clearTimeout', (pause: object) => current?.removePause(pause));
  vi.stubGlobal('setInterval', () => ({}));
}

/**
 * Runs every order of the steps of a world, except from a state that another order has already reached. Throws the
 * first broken promise, with the steps that lead to it.
 *
 * @returns the number of states
 */
export async function explore(create: () => World): Promise<number> {
  freeze();
  const seen = new Set<string>();
  const paths: (readonly number[])[] = [[]];
  try {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const taken: string[] = [];
      const trail: number[] = [];
      const take = async (index: number) => {
        const step = world.steps()[index] as Step;
        taken.push(step.label);
        trail.push(index);
        step.run();
        await quiet();
        if (world.broken !== undefined) throw world.broken;
      };
      const world = create();
      await quiet();
      try {
        for (const index of path) await take(index);
        for (let state = world.describe(); !seen.has(state); state = world.describe()) {
          seen.add(state);
          const count = world.steps().length;
          if (count === 0) {
            await world.finish();
            break;
          }
          for (let index = count - 1; index > 0; index--) paths.push([...trail, index]);
          await take(0);
        }
      } catch (error) {
        throw new Error(`After the steps:\n${taken.join('\n')}`, { cause: error });
      }
    }
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  }
  return seen.size;
}
