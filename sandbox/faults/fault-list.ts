import { inspect } from '#sandbox-runtime';
import { integerReader, type OptionReaders, validIf } from '../../src/validation/options.js';
import { UnknownIdError } from '../arguments/control-errors.js';
import type { Random } from '../random/random.js';
import { describeFault, type Fault } from './fault-kinds.js';

/** Selects the requests or delivery attempts that a rule hits, among those that match it. */
export interface FaultSelection {
  /** The id for removing the rule: a string or a number. Default: the next number, from 1. */
  id?: string | number | undefined;
  /** The first match to hit, counted from 1 since the rule was added. Default 1. Not with `rate`. */
  nth?: number | undefined;
  /**
   * The number of matches to hit. Default 1. Without `rate`, consecutive matches are hit. With `rate`, the
   * default is every match that the rate selects.
   */
  times?: number | undefined;
  /**
   * The probability of hitting each match: more than 0, at most 1. Depends on the sandbox's seed, so that a
   * run can be repeated.
   */
  rate?: number | undefined;
}

/** A rule's selection of matches, and how many it has hit. */
export interface FaultProgress {
  /** The id for removing the rule. */
  id: string | number;
  /** The first match to hit, from 1. */
  nth: number;
  /** The number of matches to hit; undefined for all that the rate selects. */
  times: number | undefined;
  /** The probability of hitting a match; undefined for a rule with `nth` instead of `rate`. */
  rate: number | undefined;
  /** Number of matches so far. */
  seen: number;
  /** Number of matches that the rule has hit. */
  hits: number;
  /** Number of matches that the rule will still hit; undefined for all that the rate selects. */
  left: number | undefined;
}

/** @param what names the number in messages, such as `a number of requests` */
export const matchOptionReaders = (what: string): OptionReaders<FaultSelection> => ({
  id: validIf(
    (value) => (typeof value === 'string' && value !== '') || Number.isSafeInteger(value),
    'must be a non-empty string or an integer',
  ),
  nth: integerReader(1, what),
  times: integerReader(1, what),
  rate: validIf(
    (value) => typeof value === 'number' && value > 0 && value <= 1,
    'must be a probability: a number above 0, at most 1',
  ),
});

/** The number of different 32-bit values. */
const numbers = 2 ** 32;

/** The methods that manage faults, and the lists of pending rules and of hits. */
export interface FaultControl<Rule extends FaultProgress, Hit> {
  /**
   * Removes a fault.
   *
   * @returns whether it was still pending.
   * @throws UnknownIdError for an id that no fault ever had.
   */
  remove(id: string | number): boolean;
  /** Removes all pending faults, but keeps `fired`. */
  clear(): void;
  /** The rules that can still hit, oldest first. */
  readonly pending: readonly Readonly<Rule>[];
  /** All hits so far, in order. */
  readonly fired: readonly Readonly<Hit>[];
}

export interface FaultListeners {
  readonly onChange?: () => void;
  readonly note?: (call: string, ...args: readonly unknown[]) => void;
}

export abstract class FaultList<Rule extends FaultProgress, Hit> implements FaultControl<Rule, Hit> {
  readonly #call: string;
  readonly #random: Random;
  #faults: Rule[] = [];
  readonly #fired: Readonly<Hit>[] = [];
  readonly #ids = new Set<string | number>();
  #next = 1;
  readonly #onChange: () => void;
  readonly #note: (call: string, ...args: readonly unknown[]) => void;

  /**
   * @param call the method that adds a fault, for messages: `faults.add`
   * @param note called after each call that changes the list
   */
  constructor(
    call: string,
    random: Random,
    { onChange = () => undefined, note = () => undefined }: FaultListeners,
  ) {
    this.#onChange = onChange;
    this.#note = note;
    this.#call = call;
    this.#random = random;
  }

  get pending(): readonly Readonly<Rule>[] {
    return this.#faults.map((rule) => Object.freeze({ ...rule }));
  }

  get fired(): readonly Readonly<Hit>[] {
    return [...this.#fired];
  }

  protected addRule(count: FaultSelection, rest: Omit<Rule, keyof FaultProgress>): Readonly<Rule> {
    const { rate, nth = 1 } = count;
    const times = count.times ?? (rate === undefined ? 1 : undefined);
    if (rate !== undefined && count.nth !== undefined) {
      throw new TypeError(`${this.#call}: nth and rate cannot be combined. Leave one of them out`);
    }
    if (count.id !== undefined && this.#faults.some(({ id }) => id === count.id)) {
      throw new TypeError(
        `${this.#call}: id is the id of a pending fault, ${inspect(count.id)}: remove that one, or take another id`,
      );
    }
    const id = count.id ?? this.#freeNumber();
    this.#ids.add(id);
    const rule = { id, ...rest, nth, times, rate, seen: 0, hits: 0, left: times } as unknown as Rule;
    this.#faults.push(rule);
    this.#onChange();
    this.#note(this.#call, describeFault((rule as unknown as { readonly fault: Fault }).fault));
    return Object.freeze({ ...rule });
  }

  remove(id: string | number): boolean {
    if (!this.#ids.has(id)) {
      const known = Array.from(this.#ids, (other) => inspect(other)).join(', ') || 'none';
      throw new UnknownIdError(
        `No fault was ever added with the id ${inspect(id)} (known: ${known}). \`${this.#call}\` returns the id.`,
      );
    }
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((rule) => rule.id !== id);
    this.#onChange();
    this.#note(this.#call.replace(/add$/, 'remove'), id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
    this.#onChange();
    this.#note(this.#call.replace(/add$/, 'clear'));
  }

  /** Also empties `fired`. */
  reset(): void {
    this.clear();
    this.#fired.length = 0;
    this.#ids.clear();
    this.#next = 1;
  }

  /** The oldest due rule hits the match. */
  protected takeRule(
    matches: (rule: Rule) => boolean,
    describeHit: (rule: Rule) => Hit,
  ): Readonly<Rule> | undefined {
    // Each matching rule with a rate draws a number, so that its numbers do not depend on other rules' hits.
    const [due] = this.#faults.filter(matches).filter((rule) => this.#isDue(rule));
    if (due === undefined) return undefined;
    due.hits += 1;
    if (due.left !== undefined) due.left -= 1;
    if (due.left === 0) this.#faults = this.#faults.filter((rule) => rule !== due);
    this.#fired.push(Object.freeze(describeHit(due)));
    this.#onChange();
    return due;
  }

  /** Another fault has already hit the match. */
  protected pass(matches: (rule: Rule) => boolean): void {
    for (const rule of this.#faults) if (matches(rule)) rule.seen += 1;
  }

  #isDue(rule: Rule): boolean {
    rule.seen += 1;
    if (rule.rate === undefined) return rule.seen >= rule.nth;
    return Number.parseInt(this.#random.hex(8), 16) / numbers < rule.rate;
  }

  #freeNumber(): number {
    while (this.#ids.has(this.#next)) this.#next += 1;
    return this.#next;
  }
}
