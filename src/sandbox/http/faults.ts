import { inspect } from 'node:util';
import { type OperationId, operations } from '../../contract/index.js';
import { type Duration, milliseconds } from '../time/duration.js';
import { type FaultAnswer, faultResponse } from './fault-answer.js';

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
 * - `acquirer-unknown`: the platform does not know whether the payment was made (409 for its key from then on).
 * - an object: that answer.
 */
export type Fault = (typeof namedFaults)[number] | FaultAnswer;

/** One fault and when it happens. */
export interface FaultRule {
  /** Default: any request. */
  operation?: OperationId | '*';
  /** The first matching request to hit, counted from when the rule was added. Default 1. */
  nth?: number;
  /** How many matching requests to hit, one after the other. Default 1. */
  times?: number;
  /**
   * `before-commit` (default): nothing is executed. `after-commit`: the operation is really carried
   * out, and only its answer is spoiled.
   */
  phase?: 'before-commit' | 'after-commit';
  fault: Fault;
  /** Real time before the fault shows: milliseconds, or text such as `'2s'`. Default 0. */
  delay?: Duration;
}

/** A rule that has not run out. */
export interface PendingFault extends Required<Omit<FaultRule, 'delay'>> {
  /** Milliseconds. */
  delay: number;
  /** Matching requests so far. */
  seen: number;
  /** Requests it will still hit. */
  left: number;
}

/** What will go wrong. A rule is spent when it has hit `times` requests. */
export interface SandboxFaults {
  /**
   * Adds a fault. Where several are due at once, the one that was added first happens, and the
   * others wait for the next matching request.
   *
   * @throws TypeError when the rule makes no sense.
   */
  add(rule: FaultRule): void;
  /** Takes all faults back. */
  clear(): void;
  readonly pending: readonly Readonly<PendingFault>[];
}

const ruleFields = new Set(['operation', 'nth', 'times', 'phase', 'fault', 'delay']);
const operationIds: readonly string[] = operations.map(({ id }) => id);

export class Faults implements SandboxFaults {
  #rules: PendingFault[] = [];

  get pending(): readonly Readonly<PendingFault>[] {
    return this.#rules.map((rule) => Object.freeze({ ...rule }));
  }

  add(rule: FaultRule): void {
    this.#rules.push(checked(rule));
  }

  clear(): void {
    this.#rules = [];
  }

  /** Counts a request, and tells which fault hits it. */
  take(operation: OperationId | undefined): Readonly<PendingFault> | undefined {
    if (this.#rules.length === 0) return undefined;
    const matching = this.#rules.filter((rule) => rule.operation === '*' || rule.operation === operation);
    for (const rule of matching) rule.seen += 1;
    const due = matching.find((rule) => rule.seen >= rule.nth);
    if (due === undefined) return undefined;
    due.left -= 1;
    if (due.left === 0) this.#rules = this.#rules.filter((rule) => rule !== due);
    return due;
  }
}

function checked(rule: FaultRule): PendingFault {
  const { fault, nth = 1, times = 1, phase = 'before-commit', delay = 0 } = rule;
  const acquirer = fault === 'acquirer-unknown';
  const operation = rule.operation ?? (acquirer ? 'payments.create' : '*');
  const demand = (holds: boolean, message: string) => {
    if (!holds) throw new TypeError(`Fault: ${message}.`);
  };
  for (const name of Object.keys(rule)) {
    demand(ruleFields.has(name), `${name} is no field of a rule (they are ${[...ruleFields].join(', ')})`);
  }
  demand(
    operation === '*' || operationIds.includes(operation),
    `operation is one of ${operationIds.join(', ')} or '*', not ${inspect(operation)}`,
  );
  demand(Number.isInteger(nth) && nth >= 1, `nth counts requests from 1, so it cannot be ${nth}`);
  demand(Number.isInteger(times) && times >= 1, `times is 1 or more, so it cannot be ${times}`);
  demand(
    phase === 'before-commit' || phase === 'after-commit',
    `phase is 'before-commit' or 'after-commit', not ${inspect(phase)}`,
  );
  demand(
    isAnswer(fault) || namedFaults.includes(fault),
    `fault is ${namedFaults.join(', ')} or an answer { status, headers, body }, not ${inspect(fault)}`,
  );
  demand(
    !acquirer || (operation === 'payments.create' && phase === 'before-commit'),
    "'acquirer-unknown' happens within payments.create, so it takes no other operation and no phase",
  );
  const copy = isAnswer(fault) ? copyOf(fault) : fault;
  return { operation, nth, times, phase, fault: copy, delay: milliseconds(delay), seen: 0, left: times };
}

const isAnswer = (fault: Fault): fault is FaultAnswer => typeof fault === 'object' && fault !== null;

/** A mistake in an answer shows where it was written, not where it is sent. */
function copyOf(answer: FaultAnswer): FaultAnswer {
  try {
    const copy = Object.freeze(structuredClone(answer));
    faultResponse(copy);
    return copy;
  } catch (cause) {
    throw new TypeError(`Fault: this answer cannot be sent: ${(cause as Error).message}`, { cause });
  }
}
