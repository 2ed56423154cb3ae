import { type EventName, transactionEvents } from '../../src/contract/events.js';
import { type OptionReaders, oneOf, required, validIf } from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import type { Random } from '../random/random.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import {
  type FaultControl,
  FaultList,
  type FaultListeners,
  type FaultProgress,
  type FaultSelection,
  matchOptionReaders,
} from './fault-list.js';
import { deliveryFaults } from './fault-names.js';

/**
 * Faults on the way to a receiver.
 *
 * - `drop`: the request never arrives, and the attempt fails.
 * - `delay`: the request arrives later. The attempt fails after 30 seconds, so with a longer delay a retry
 *   can overtake the request.
 * - `duplicate`: the same request arrives twice. The first response counts.
 * - `reorder`: the request arrives after the next request to the same endpoint. If none follows within 30
 *   seconds, the attempt fails, and its retry is the next request.
 * - `corrupt`: a character of the body differs from the signed body.
 * - `old-secret`: the request is signed with the previous secret, or with a wrong one if there is none.
 */
export type DeliveryFault = (typeof deliveryFaults)[number];

/** A fault, and the attempts that it hits. Retries are also attempts. */
export interface DeliveryFaultRule extends FaultSelection {
  /** The event. Default `*`: any. */
  event?: EventName | '*' | undefined;
  /** The id of a webhook endpoint. Default `*`: any. */
  endpoint?: string | undefined;
  /** The kind of fault. */
  fault: DeliveryFault;
  /** How long the fault `delay` takes, on the sandbox's clock: milliseconds, or a string such as `'2m'`. */
  delay?: Duration | undefined;
}

/** A rule that can still hit attempts. */
export interface PendingDeliveryFault extends FaultProgress {
  /** The event of the deliveries that it hits, or `*`. */
  event: EventName | '*';
  /** The id of the webhook endpoint, or `*`. */
  endpoint: string;
  /** The kind of fault. */
  fault: DeliveryFault;
  /** Milliseconds on the sandbox's clock; 0 for faults other than `delay`. */
  delay: number;
}

/** An attempt that a fault hit. */
export interface FiredDeliveryFault {
  /** The id of the rule. */
  readonly id: string | number;
  /** The kind of fault. */
  readonly fault: DeliveryFault;
  /** The `event` of the notification. */
  readonly event: string;
  /** The id of the webhook endpoint. */
  readonly endpointId: string;
  /** The `id` of the delivery in `webhooks.deliveries`. */
  readonly deliveryId: string;
  /** 1 for the first attempt, 2 to 4 for the retries. */
  readonly attempt: number;
}

/** Faults on the way to webhook receivers. A rule ends when it has hit `times` attempts. */
export interface SandboxDeliveryFaults extends FaultControl<PendingDeliveryFault, FiredDeliveryFault> {
  /**
   * Adds a fault. An attempt is hit by at most one fault: the oldest that is due.
   *
   * @returns the rule as `pending` lists it, with its `id`.
   * @throws TypeError that names every problem of the rule, and for an id that a pending fault already has.
   */
  add(rule: DeliveryFaultRule): Readonly<PendingDeliveryFault>;
}

const call = 'webhooks.faults.add';

const optionReaders: OptionReaders<DeliveryFaultRule> = {
  ...matchOptionReaders('a number of attempts'),
  event: oneOf(...transactionEvents, '*'),
  endpoint: aText,
  fault: required(oneOf(...deliveryFaults)),
  delay: validIf(
    (value) => isDuration(value) && milliseconds(value) > 0,
    `must be ${durationForms}, and more than 0`,
  ),
};

export class DeliveryFaults
  extends FaultList<PendingDeliveryFault, FiredDeliveryFault>
  implements SandboxDeliveryFaults
{
  constructor(random: Random, listeners: FaultListeners = {}) {
    super(call, random, listeners);
  }

  add(input: DeliveryFaultRule): Readonly<PendingDeliveryFault> {
    const rule = readCheckedOptions(call, input, optionReaders, 'field');
    const { event = '*', endpoint = '*', fault = 'drop', delay } = rule;
    if (fault === 'delay' && delay === undefined) {
      throw new TypeError(`${call}: the fault 'delay' needs delay: how long it takes, such as '2m'`);
    }
    if (fault !== 'delay' && delay !== undefined) {
      throw new TypeError(
        `${call}: delay is only allowed with the fault 'delay', not with '${fault}': leave it out`,
      );
    }
    const time = delay === undefined ? 0 : milliseconds(delay);
    return this.addRule(rule, { event, endpoint, fault, delay: time });
  }

  take(about: Omit<FiredDeliveryFault, 'id' | 'fault'>): Readonly<PendingDeliveryFault> | undefined {
    const { event, endpointId } = about;
    return this.takeRule(
      (rule) =>
        (rule.event === '*' || rule.event === event) &&
        (rule.endpoint === '*' || rule.endpoint === endpointId),
      ({ id, fault }) => ({ id, fault, ...about }),
    );
  }
}

/** A secret that no endpoint uses. */
const anotherSecret = 'another-secret-not-real';

/** Undefined if the attempt is not signed. */
export function chooseSigningSecret(
  {
    secret,
    previousSecret,
  }: { readonly secret?: string | undefined; readonly previousSecret?: string | undefined },
  fault: DeliveryFault | undefined,
): string | undefined {
  return fault === 'old-secret' ? (previousSecret ?? anotherSecret) : secret;
}

/** With another letter or digit in its middle. */
export function corruptBody(body: string): string {
  const middle = Math.floor(body.length / 2);
  const offset = body.slice(middle).search(/[A-Za-z0-9]/);
  const at = offset === -1 ? middle : middle + offset;
  const other = body[at] === '0' ? '1' : '0';
  return body.slice(0, at) + other + body.slice(at + 1);
}
