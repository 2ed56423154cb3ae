import { type OperationId, operations } from '../../src/contract/index.js';
import { closestName } from '../../src/validation/closest-name.js';
import { invalidIf, type OptionReaders, oneOf, validIf } from '../../src/validation/options.js';
import { readCheckedOptions } from '../arguments/checked-options.js';
import type { Random } from '../random/random.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import { aFault, describeFault, type Fault } from './fault-kinds.js';
import {
  type FaultControl,
  FaultList,
  type FaultListeners,
  type FaultProgress,
  type FaultSelection,
  matchOptionReaders,
} from './fault-list.js';
import { choosePhase, type FaultPhase, phases } from './fault-phases.js';

/** A fault, and the requests that it hits. */
export interface FaultRule extends FaultSelection {
  /**
   * The operation. Default `*`: any request, including one to an unknown path. For `acquirer-unknown`:
   * `payments.create`.
   */
  operation?: OperationId | '*' | undefined;
  /**
   * When the fault hits a request.
   *
   * - `before-read`: before the body is read; the operation is not executed.
   * - `before-commit` (default): after the body is read; the operation is not executed either.
   * - `after-commit` (default of `{ slow }`): the operation is executed, and only its response is replaced or
   *   lost.
   * - `mid-response`: the operation is executed, and the headers and half of the response's body arrive.
   */
  phase?: FaultPhase | undefined;
  /** The kind of fault: a name, `{ slow }`, or a response that replaces the platform's. */
  fault: Fault;
  /**
   * Real time before the response or the failure: milliseconds, or a string such as `'2s'`. Default 0. With
   * `mid-response`, the delay comes between the first half of the body and the failure.
   */
  delay?: Duration | undefined;
}

/** A rule that can still hit requests. */
export interface PendingFault extends FaultProgress {
  /** The operation of the requests that the rule hits, or `*`. */
  operation: OperationId | '*';
  /** The moment at which the rule hits a request. */
  phase: FaultPhase;
  /** The kind of fault: a name, `{ slow }` in milliseconds, or a response that replaces the platform's. */
  fault: Fault;
  /** The delay before the fault, in milliseconds. */
  delay: number;
}

/** A request that a fault hit. */
export interface FiredFault {
  /** The id of the rule. */
  readonly id: string | number;
  /** The request's operation; undefined if no operation has its method and path. */
  readonly operation: OperationId | undefined;
  /** The moment at which the fault hit the request. */
  readonly phase: FaultPhase;
  /** The kind of fault. Of a response, only the status. */
  readonly fault: Fault;
}

/** Faults on the way to the platform. A rule ends when it has hit `times` requests. */
export interface SandboxFaults extends FaultControl<PendingFault, FiredFault> {
  /**
   * Adds a fault. A request is hit by at most one fault. If several are due, a `before-read` fault comes
   * first, then the oldest. The other faults wait for the next matching request.
   *
   * @returns the rule as `pending` lists it, with its `id`.
   * @throws TypeError that names every problem of the rule, a fault that is impossible in its phase, and an
   * id that a pending fault already has.
   */
  add(rule: FaultRule): Readonly<PendingFault>;
}

const operationIds: readonly string[] = operations.map(({ id }) => id);

const anOperation = invalidIf<OperationId | '*'>((value) => {
  if (value === '*' || operationIds.includes(value as string)) return undefined;
  const near = typeof value === 'string' ? closestName(value, operationIds) : undefined;
  return `must be '*' or the name of a client method, such as '${near ?? 'payments.create'}'`;
});

const optionReaders: OptionReaders<FaultRule> = {
  ...matchOptionReaders('a number of requests'),
  operation: anOperation,
  phase: oneOf(...phases),
  fault: aFault,
  delay: validIf(isDuration, `must be ${durationForms}`),
};

type Matches = (rule: PendingFault) => boolean;

export class RequestFaults extends FaultList<PendingFault, FiredFault> implements SandboxFaults {
  constructor(random: Random, listeners: FaultListeners = {}) {
    super('faults.add', random, listeners);
  }

  add(input: FaultRule): Readonly<PendingFault> {
    const rule = readCheckedOptions('faults.add', input, optionReaders, 'field');
    const { fault = 'reset', delay = 0 } = rule;
    const isAcquirer = fault === 'acquirer-unknown';
    const { operation = isAcquirer ? 'payments.create' : '*' } = rule;
    if (isAcquirer && operation !== 'payments.create') {
      throw new TypeError("faults.add: the fault 'acquirer-unknown' can only be added to 'payments.create'");
    }
    const phase = choosePhase(fault, rule.phase);
    return this.addRule(rule, { operation, phase, fault, delay: milliseconds(delay) });
  }

  takeBeforeRead(operation: OperationId | undefined): Readonly<PendingFault> | undefined {
    const fault = this.#take(operation, ({ phase }) => phase === 'before-read');
    if (fault !== undefined) {
      this.pass((rule) => rule.phase !== 'before-read' && concerns(rule, operation));
    }
    return fault;
  }

  take(operation: OperationId | undefined): Readonly<PendingFault> | undefined {
    return this.#take(operation, ({ phase }) => phase !== 'before-read');
  }

  #take(operation: OperationId | undefined, isInPhase: Matches): Readonly<PendingFault> | undefined {
    return this.takeRule(
      (rule) => isInPhase(rule) && concerns(rule, operation),
      ({ id, phase, fault }) => ({ id, operation, phase, fault: describeFault(fault) }),
    );
  }
}

const concerns = (rule: PendingFault, operation: OperationId | undefined) =>
  rule.operation === '*' || rule.operation === operation;
