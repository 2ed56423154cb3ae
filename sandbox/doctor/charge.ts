import { shapes } from '../../src/contract/generated/shapes.js';
import { limits } from '../../src/contract/limits.js';
import {
  assumptions,
  findWireName,
  listNamedShapes,
  type Overrides,
  readOverrides,
} from '../../src/contract/overrides.js';
import type { Payment, PixPayment } from '../../src/contract/payments/types.js';
import { valueAt } from '../../src/contract/wire-names.js';
import { responseStatus } from '../defaults/statuses.js';
import {
  type CheckName,
  type DoctorCheck,
  describeError,
  failed,
  findStatus,
  ok,
  skipped,
  warning,
} from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { noteDrift } from './drift.js';
import { readJson } from './tap.js';

const names: readonly CheckName[] = [
  'charge.same-key',
  'charge.other-payload',
  'charge.lost-response',
  'charge.similar-keys',
  'charge.body',
  'charge.field-names',
];

const secondCharge =
  'Do not go live: a retry is a second charge. Let x-idempotency-key pass every gateway and proxy.';

/** Creates payments, and checks that one idempotency key leads to one charge. */
export async function* checkCharges(context: DiagnosisContext): AsyncGenerator<DoctorCheck> {
  const { options, signal } = context;
  if (options.charge !== true || signal.aborted) {
    for (const name of names) yield skipped(name, 'It creates payments: needs charge (--charge).');
    return;
  }
  const order = sampleOrder();
  const key = newKey(context);
  const first = await sendPayment(context, order, key);
  if (typeof first === 'string') {
    const remedy = first.includes('is for another request')
      ? "If the platform changes externalReference on purpose, set checks: { 'payment.reference': false }."
      : 'Repair that first.';
    yield failed(names[0] as CheckName, `No payment was returned: ${first}`, remedy);
    for (const name of names.slice(1)) yield skipped(name, 'No payment was returned.');
    return;
  }
  if (typeof first.id !== 'string' || first.id === '') {
    yield failed(
      names[0] as CheckName,
      'The payment has no id, which the API docs require.',
      'Ask the platform for the reason.',
    );
    for (const name of names.slice(1)) yield skipped(name, 'The payment has no id.');
    return;
  }
  yield await checkSameKey(context, order, key, first);
  yield await checkOtherPayload(context, order, key, first);
  yield await checkLostResponse(context);
  yield await checkSimilarKeys(context);
  yield checkBody(order, first);
  yield await checkFieldNames(context);
}

/**
 * Creates an order of the minimum amount. It contains letters outside ASCII, which a wrong encoding would
 * change.
 */
export function sampleOrder(): PixPayment {
  const amount = limits.paymentAmountCents.min;
  return {
    externalId: `doctor-${crypto.randomUUID()}`,
    amount,
    paymentMethod: 'pix',
    customer: {
      name: 'João Conceição',
      email: 'doctor@example.com',
      document: { number: '12345678909', type: 'cpf' },
    },
    items: [{ title: 'Café e pão', quantity: 1, unitPrice: amount }],
  };
}

/** Creates an idempotency key that is hidden in all messages. */
function newKey({ secrets }: DiagnosisContext): string {
  const key = `doctor-${crypto.randomUUID()}`;
  secrets.push(key);
  return key;
}

/** Creates a payment. Returns the reason if the payment cannot be created. */
export async function sendPayment(
  { platform, signal }: DiagnosisContext,
  order: PixPayment,
  idempotencyKey: string,
): Promise<Payment | string> {
  try {
    return await platform.payments.create(order, { idempotencyKey, signal });
  } catch (error) {
    return describeError(error);
  }
}

async function checkSameKey(
  context: DiagnosisContext,
  order: PixPayment,
  key: string,
  first: Payment,
): Promise<DoctorCheck> {
  const name = 'charge.same-key';
  const second = await sendPayment(context, order, key);
  if (typeof second === 'string')
    return failed(
      name,
      `The second request with one key failed: ${second}`,
      'Ask the platform for the reason.',
    );
  return second.id === first.id
    ? ok(name, `Two requests with one key: one payment, ${first.id}.`)
    : failed(
        name,
        `Two requests with one key made two payments, ${first.id} and ${second.id}.`,
        secondCharge,
      );
}

async function checkOtherPayload(
  { platform, signal, statuses }: DiagnosisContext,
  order: PixPayment,
  key: string,
  first: Payment,
): Promise<DoctorCheck> {
  const name = 'charge.other-payload';
  const amount = order.amount + 1;
  const other = { ...order, amount, items: [{ title: 'Café e pão', quantity: 1, unitPrice: amount }] };
  try {
    const { id } = await platform.payments.create(other, { idempotencyKey: key, signal });
    return id === first.id
      ? ok(name, 'The key with another payload: the first payment was returned, and nothing was charged.')
      : failed(name, `The key with another payload made another payment, ${id}.`, secondCharge);
  } catch (error) {
    const status = findStatus(error);
    if (status === undefined || status >= 500)
      return failed(name, `The key with another payload: ${describeError(error)}`, 'Run it again.');
    if (status !== responseStatus.keyReused) statuses.keyReused = status;
    return ok(name, `The key with another payload: rejected with ${status}.`);
  }
}

/**
 * Creates payments with keys of the maximum length that differ only at the end: in the case of a letter, in
 * the place of a hyphen, or in the last character. Then repeats the first payment. A platform or gateway that
 * truncates or normalises keys fails this check.
 */
async function checkSimilarKeys(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.similar-keys';
  const start = newKey(context);
  const padding = '-'.repeat(limits.idempotencyKeyLength - start.length - 3);
  const keys = ['a1-', 'A1-', 'a-1', 'a12'].map((end) => `${start}${padding}${end}`);
  context.secrets.unshift(...keys);
  const requests = keys.map((key) => ({ key, order: sampleOrder() }));
  const ids: string[] = [];
  for (const { key, order } of [...requests, ...requests.slice(0, 1)]) {
    const payment = await sendPayment(context, order, key);
    if (typeof payment !== 'string') ids.push(payment.id);
    else
      return ids.length === 0
        ? failed(name, `A key of ${key.length} characters: ${payment}`, 'Use short keys.')
        : failed(name, `${differAtTheEnd} do not make separate payments: ${payment}`, useShortKeys);
  }
  if (ids.pop() !== ids[0])
    return failed(name, 'Two requests with one long key made two payments.', secondCharge);
  return new Set(ids).size === keys.length
    ? ok(name, `${differAtTheEnd} make separate payments, and a long key makes one.`)
    : failed(name, `${differAtTheEnd} do not make separate payments: ${ids.join(', ')}`, useShortKeys);
}

const differAtTheEnd = 'Keys that differ only at the end';

const useShortKeys =
  'Use short keys of letters in lower case and digits. Otherwise an order can get the payment of another one.';

async function checkLostResponse(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.lost-response';
  const { tapped, signal, statuses } = context;
  if (typeof tapped === 'string') return skipped(name, tapped);
  const { tap, platform } = tapped;
  const before = tap.exchanges.length;
  const idempotencyKey = newKey(context);
  tap.cutNextResponse();
  try {
    const payment = await platform.payments.create(sampleOrder(), { idempotencyKey, maxRetries: 2, signal });
    const [lost, resumed] = tap.exchanges.slice(before).filter(({ method }) => method === 'POST');
    const { id } = (lost && (readJson(lost) as Payment | undefined)) ?? {};
    if (lost === undefined || resumed === undefined)
      return failed(name, 'The request did not go through the local proxy.', 'Run it again.');
    if (id !== payment.id)
      return failed(
        name,
        `After a lost response, the retry made a second payment: ${id}, ${payment.id}.`,
        secondCharge,
      );
    if (lost.status !== responseStatus.paymentCreated) statuses.paymentCreated = lost.status;
    if (resumed.status !== responseStatus.paymentReplayed) statuses.paymentReplayed = resumed.status;
    noteDrift(context, 'payments.create', shapes['payments.create'].response, readJson(resumed));
    return ok(name, `After a lost response, the retry returned the same payment, ${id}.`);
  } catch (error) {
    return failed(
      name,
      `After a lost response, the payment could not be resumed: ${describeError(error)}`,
      'Ask the platform for the reason: a payment with an unknown outcome must be returned for its key.',
    );
  }
}

/** Compares the payment with the order that was sent. */
function checkBody(order: PixPayment, payment: Payment): DoctorCheck {
  const sent = [
    ['amount', order.amount, payment.amount],
    ['paymentMethod', order.paymentMethod, payment.paymentMethod],
    ['externalReference', order.externalId, payment.externalReference],
    ['items.0.title', order.items[0]?.title, payment.items?.[0]?.title],
    ['customer.name', order.customer.name, payment.customer?.name ?? undefined],
  ] as const;
  const changed = sent.filter(([, before, after]) => after !== undefined && after !== before);
  if (changed.length === 0) return ok('charge.body', 'The payment has the fields of the order, unchanged.');
  const shown = changed.map(([field, before, after]) => `${field} is ${after}, not ${before}`);
  return failed(
    'charge.body',
    `The payment differs from the order: ${shown.join('; ')}.`,
    'A gateway rewrites the body or its charset. Let it pass bodies unchanged.',
  );
}

/** Sends a request with the assumed field names, and looks for them in the response. */
async function checkFieldNames(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.field-names';
  const { platform, client, signal, fieldNames } = context;
  const { overrides } = readOverrides(client.fieldNames, listNamedShapes());
  const assumed = {
    pix: { expiration: limits.pixExpirationSeconds },
    clientIp: '192.0.2.1',
    statementDescriptor: 'DOCTOR',
    metadata: { checkedBy: 'doctor' },
  };
  const order = { ...sampleOrder(), ...assumed };
  const sentNames = wireNames('request', Object.keys(assumed), overrides).map(([, wire]) => wire);
  try {
    const payment = await platform.payments.create(order, { idempotencyKey: newKey(context), signal });
    const isSeen = ([property]: readonly [string, string]) => valueAt(payment, [property]) !== undefined;
    const received = wireNames('response', undefined, overrides);
    const list = (found: typeof received) => found.map(([, wire]) => wire).join(', ') || 'none';
    const shown = `accepted in a request: ${sentNames.join(', ')}; in the response: ${list(received.filter(isSeen))}; not in it: ${list(received.filter((field) => !isSeen(field)))}.`;
    return Object.keys(fieldNames).some((key) => key.startsWith('payment.'))
      ? warning(name, `Assumed names, ${shown}`, 'Use the suggested fieldNames.')
      : ok(name, `Assumed names, ${shown}`);
  } catch (error) {
    return warning(
      name,
      `A payment with the assumed names ${sentNames.join(', ')} was rejected: ${describeError(error)}`,
      'Ask the platform for the names, and set fieldNames.',
    );
  }
}

/** Pairs each payment property that has an assumed name with its name on the wire. */
function wireNames(
  place: 'request' | 'response',
  properties: readonly string[] | undefined,
  overrides: Overrides,
): (readonly [property: string, wire: string])[] {
  const fields = shapes['payments.create'][place]?.fields ?? {};
  return Object.entries(fields)
    .filter(
      ([property, { key }]) =>
        key !== undefined && key in assumptions && (properties?.includes(property) ?? true),
    )
    .map(([property, field]) => [property, findWireName(property, field, overrides, place)]);
}
