import { inspect } from '#sandbox-runtime';
import { limits } from '../../src/contract/limits.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import type { Charge } from '../payments/ledger.js';
import type { DeliveryAttempt } from '../webhooks/delivery.js';

/** Paid, or can still be paid. */
const open: ReadonlySet<string> = new Set(['waiting_payment', 'in_analysis', 'paid']);

const shown = ({ paymentId, status, amount }: Charge) => `${paymentId} (${status}, ${amount} cents)`;

function repeated(charges: readonly Charge[], by: (charge: Charge) => string | undefined) {
  const groups = new Map<string, Charge[]>();
  for (const charge of charges) {
    const value = by(charge);
    if (value !== undefined) groups.set(value, [...(groups.get(value) ?? []), charge]);
  }
  return Array.from(groups).filter(([, { length }]) => length > 1);
}

export function findDuplicateCharges({ ledger: { charges } }: Pick<Sandbox, 'ledger'>): string[] {
  const sentence =
    (what: string) =>
    ([value, group]: [string, Charge[]]) =>
      `${what} ${inspect(value)} has ${group.length} charges: ${group.map(shown).join(', ')}`;
  return [
    ...repeated(charges, ({ idempotencyKey }) => idempotencyKey).map(sentence('the idempotency key')),
    ...repeated(charges.filter(isOpen), ({ externalReference }) => externalReference).map(
      sentence('the order'),
    ),
  ];
}

const isOpen = ({ status }: Charge) => open.has(status);

/**
 * For a payment or a key, this includes the other charges of its order that are paid or can still be paid,
 * because an order that is charged under two keys is charged twice.
 */
export function countCharges(
  { ledger: { charges } }: Pick<Sandbox, 'ledger'>,
  wanted: string,
): readonly Charge[] {
  const named = charges.filter(
    ({ paymentId, idempotencyKey }) => wanted === paymentId || wanted === idempotencyKey,
  );
  const orders = new Set([wanted, ...named.map(({ externalReference }) => externalReference)]);
  const others = charges.filter(
    (charge) => isOpen(charge) && orders.has(charge.externalReference) && !named.includes(charge),
  );
  return others.length === 0 || named.some(isOpen) ? [...named, ...others] : others;
}

interface Progress {
  readonly id: string | number;
  readonly fault: unknown;
  readonly seen: number;
  readonly hits: number;
  readonly times: number | undefined;
}

function unfired(rules: readonly Progress[], describePlace: (index: number) => string): string[] {
  return rules.flatMap(({ id, fault, seen, hits, times }, index) => {
    if (times === undefined && hits > 0) return [];
    const expected = times === undefined ? 'at least 1' : String(times);
    return [
      `fault ${inspect(id)} (${inspect(fault, { breakLength: Infinity })} at ${describePlace(index)}) has hit ${hits} of ${expected}, and seen ${seen} that matched`,
    ];
  });
}

export function findUnfiredFaults({ faults, webhooks }: Pick<Sandbox, 'faults' | 'webhooks'>): string[] {
  const requests = faults.pending;
  const deliveries = webhooks.faults.pending;
  return [
    ...unfired(requests, (index) => String(requests[index]?.operation)),
    ...unfired(deliveries, (index) => `deliveries of ${deliveries[index]?.event}`),
  ];
}

export function findUndelivered({ webhooks: { deliveries } }: Pick<Sandbox, 'webhooks'>): string[] {
  const accepted = new Set(deliveries.filter(({ state }) => state === 'delivered').map(({ id }) => id));
  const last = new Map(
    deliveries.filter(({ id }) => !accepted.has(id)).map((attempt) => [attempt.id, attempt]),
  );
  return Array.from(last.values(), describeAttempt);
}

function describeAttempt(last: DeliveryAttempt): string {
  const { event, url, attempt, state } = last;
  return state === 'pending'
    ? `${event} to ${url}: attempt ${attempt} has no response yet. Await sandbox.webhooks.idle() or sandbox.clock.advance first`
    : `${event} to ${url}: attempt ${attempt} ${describeOutcome(last)}`;
}

function describeOutcome(last: DeliveryAttempt): string {
  const { status, error, attempt } = last;
  const outcome = `failed: ${error ?? `status ${status}`}`;
  const hint = clockHint(last);
  if (hint !== undefined) return `${outcome}. ${hint}`;
  const reason = status === 400 ? '. onRejected of createReceiver says why, for example a wrong secret' : '';
  return attempt > limits.webhookResends
    ? `${outcome}${reason}`
    : `${outcome}${reason}. It is sent again when the sandbox's clock moves: await sandbox.clock.advance('1h')`;
}

/** Receivers reject a signature whose time differs from their own, and show only a 4xx status. */
function clockHint({ at, status = 0, headers }: DeliveryAttempt): string | undefined {
  const isRejected = status === 400 || status === 401 || status === 403;
  if (!isRejected || headers['x-service-timestamp'] === undefined) return undefined;
  const now = Date.now();
  if (Math.abs(now - Date.parse(at)) <= limits.webhookToleranceSeconds * 1_000) return undefined;
  return `The sandbox's clock was at ${at}, and this machine's is at ${new Date(now).toISOString()}: a receiver that checks signatures by this machine's clock rejects them. Give it the sandbox's: createReceiver({ now: () => sandbox.clock.now() })`;
}
