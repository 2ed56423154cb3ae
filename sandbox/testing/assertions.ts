import { inspect } from '#sandbox-runtime';
import type { Sandbox } from '../control/sandbox-interface.js';
import { findDuplicateCharges, findUndelivered, findUnfiredFaults } from './findings.js';

function demand(problems: readonly string[], expectation: string): void {
  if (problems.length === 0) return;
  throw new Error([`${expectation}:`, ...problems.map((problem) => `- ${problem}`)].join('\n'));
}

/** Anything else is a mistake and must not count as a success. */
function checkSandbox<Part extends keyof Sandbox>(
  call: string,
  sandbox: Pick<Sandbox, Part>,
  part: Part,
): void {
  if (typeof sandbox?.[part] === 'object') return;
  throw new TypeError(
    `${call}: the argument must be a sandbox from createSandbox, got ${inspect(sandbox, { depth: 0 })}.`,
  );
}

/**
 * Throws if the ledger has more than one charge
 *
 * - with the same idempotency key, in any status, or
 * - with the same `externalReference` (the request's `externalId`) among charges that are paid or can still
 *   be paid: `waiting_payment`, `in_analysis` and `paid`. Paying an order again after it was refused,
 *   cancelled, expired, refunded or charged back is not a duplicate.
 *
 * Charges of all merchants are compared with each other.
 *
 * @throws Error that names the payments.
 */
export function noDuplicateCharges(sandbox: Pick<Sandbox, 'ledger'>): void {
  checkSandbox('noDuplicateCharges', sandbox, 'ledger');
  demand(findDuplicateCharges(sandbox), 'Expected every order to be charged once');
}

/**
 * Throws if a fault of `sandbox.faults` or `sandbox.webhooks.faults` has not hit often enough. A rule with
 * `times` must hit that many times, a rule with only a `rate` at least once. Removed faults do not count.
 *
 * @throws Error that names the faults and their progress.
 */
export function everyFaultFired(sandbox: Pick<Sandbox, 'faults' | 'webhooks'>): void {
  checkSandbox('everyFaultFired', sandbox, 'faults');
  demand(findUnfiredFaults(sandbox), 'Expected every fault to hit what it should');
}

/**
 * Throws unless each notification was accepted by its endpoint: one of its attempts got a 2xx. Await
 * `sandbox.webhooks.idle()` or `sandbox.clock.advance` first.
 *
 * @throws Error that names the deliveries, and why the last attempt failed.
 */
export function everyDeliveryDelivered(sandbox: Pick<Sandbox, 'webhooks'>): void {
  checkSandbox('everyDeliveryDelivered', sandbox, 'webhooks');
  demand(findUndelivered(sandbox), 'Expected every notification to be delivered');
}
