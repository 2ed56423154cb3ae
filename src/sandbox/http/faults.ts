import { type OperationId, operations } from '../../contract/index.js';
import { anInteger, oneOf, type Readers, readIf, required } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { isRecord } from '../../input/record.js';
import { checkedOptions } from '../checked-options.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import { type FaultAnswer, readFaultAnswer } from './fault-answer.js';

const namedFaults = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  'acquirer-unknown',
] as const;

/**
 * What goes wrong.
 *
 * - `reset`: the connection is reset without an answer.
 * - `hang`: no answer until the caller gives up.
 * - `truncate`: the head and half of the body, then the connection is lost.
 * - `garbage`: 200 with an HTML page. `empty`: 200 without a body. `invalid-json`: 200 with half a JSON text.
 * - `acquirer-unknown`: the outcome of the payment is unknown: 502, then 409 for its key.
 * - an object: that answer in place of the platform's.
 */
export type Fault = (typeof namedFaults)[number] | FaultAnswer;

type Phase = 'before-commit' | 'after-commit';

/** A fault, and the requests that it hits. */
export interface FaultRule {
  /** Default `*`: any request, also one to an unknown path. For `acquirer-unknown`: `payments.create`. */
  operation?: OperationId | '*' | undefined;
  /** The first matching request that it hits, counted from 1 since the rule was added. Default 1. */
  nth?: number | undefined;
  /** How many matching requests it hits, one after the other. Default 1. */
  times?: number | undefined;
  /**
   * `before-commit` (default): the operation is not executed. `after-commit`: it is executed, and only
   * its answer is replaced or lost.
   */
  phase?: Phase | undefined;
  /** What goes wrong: one of the names, or an answer in place of the platform's. */
  fault: Fault;
  /** Real time before the answer or the failure: milliseconds, or text such as `'2s'`. Default 0. */
  delay?: Duration | undefined;
}

/** A rule that still hits requests. */
export interface PendingFault {
  /** The operation whose requests it hits; `*`: any request. */
  operation: OperationId | '*';
  /** The first matching request to hit, from 1. */
  nth: number;
  /** How many matching requests it hits. */
  times: number;
  /** `before-commit`: the operation is not executed. `after-commit`: only its answer is replaced or lost. */
  phase: Phase;
  /** What goes wrong: one of the names, or an answer in place of the platform's. */
  fault: Fault;
  /** Milliseconds. */
  delay: number;
  /** Number of matching requests so far. */
  seen: number;
  /** Number of requests that it will still hit. */
  left: number;
}

/** Faults on the way to the platform. A rule ends when it has hit `times` requests. */
export interface SandboxFaults {
  /**
   * Adds a fault. A request is hit by one fault at most: of several that are due, by the one that was
   * added first; the others wait for the next matching request.
   *
   * @throws TypeError that names every problem of the rule.
   */
  add(rule: FaultRule): void;
  /** Removes all faults. */
  clear(): void;
  /** The rules that still hit requests, in the order in which they were added. */
  readonly pending: readonly Readonly<PendingFault>[];
}

const operationIds = operations.map(({ id }) => id);

const namedFault = oneOf(...namedFaults);

const faultRule = `must be ${namedFaults.map((name) => `'${name}'`).join(', ')}, or an answer { status, headers, body }`;

function readFault(given: unknown): Read<Fault> {
  if (isRecord(given)) return readFaultAnswer(given);
  const { value } = namedFault.read(given);
  return new Read<Fault>(value, value === undefined ? [{ path: '', message: faultRule }] : []);
}

const aCount = anInteger(1, 'a number of requests');

const readers: Readers<FaultRule> = {
  operation: oneOf(...operationIds, '*'),
  nth: aCount,
  times: aCount,
  phase: oneOf('before-commit', 'after-commit'),
  fault: required({ read: readFault }, faultRule),
  delay: readIf(isDuration, `must be ${durationForms}`),
};

export class Faults implements SandboxFaults {
  #rules: PendingFault[] = [];
  readonly #onChange: () => void;

  /** @param onChange called when a rule was added, removed or met a request. */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  get pending(): readonly Readonly<PendingFault>[] {
    return this.#rules.map((rule) => Object.freeze({ ...rule }));
  }

  add(rule: FaultRule): void {
    this.#rules.push(pendingFault(rule));
    this.#onChange();
  }

  clear(): void {
    this.#rules = [];
    this.#onChange();
  }

  /** Counts a request, and returns the fault that hits it. */
  take(operation: OperationId | undefined): Readonly<PendingFault> | undefined {
    if (this.#rules.length === 0) return undefined;
    const matching = this.#rules.filter((rule) => rule.operation === '*' || rule.operation === operation);
    for (const rule of matching) rule.seen += 1;
    if (matching.length > 0) this.#onChange();
    const due = matching.find((rule) => rule.seen >= rule.nth);
    if (due === undefined) return undefined;
    due.left -= 1;
    if (due.left === 0) this.#rules = this.#rules.filter((rule) => rule !== due);
    return due;
  }
}

/**
 * Checks a rule.
 *
 * @throws TypeError that names every problem.
 */
function pendingFault(given: FaultRule): PendingFault {
  const rule = checkedOptions('faults.add', given, readers, 'field');
  const { fault = 'reset', nth = 1, times = 1, phase = 'before-commit', delay = 0 } = rule;
  const isAcquirer = fault === 'acquirer-unknown';
  const { operation = isAcquirer ? 'payments.create' : '*' } = rule;
  if (isAcquirer && (operation !== 'payments.create' || phase !== 'before-commit')) {
    throw new TypeError(
      "faults.add: the fault 'acquirer-unknown' takes no operation but 'payments.create', and no phase but 'before-commit'",
    );
  }
  return { operation, nth, times, phase, fault, delay: milliseconds(delay), seen: 0, left: times };
}
