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
import { isPaymentPlatformError, type PaymentPlatformError } from '../../src/errors/base.js';
import { responseStatus } from '../defaults/statuses.js';
import { type CheckName, type DoctorCheck, describeError, failed, ok, skipped, warning } from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { noteDrift } from './drift.js';
import { readJson } from './tap.js';

const secondCharge =
  'Do not go live: a retry is a second charge. Let x-idempotency-key pass every gateway and proxy.';

export async function* checkCharges(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  if (context.options.charge !== true) return 'It creates payments: needs charge (--charge).';
  const order = sampleOrder();
  context.personal.push(...customerData);
  const key = newKey(context);
  const first = await sendPayment(context, order, key);
  if (typeof first === 'string') {
    const remedy = first.includes('is for another request')
      ? "If the platform changes externalReference on purpose, set checks: { 'payment.reference': false }."
      : 'Repair that first.';
    yield failed('charge.same-key', `No payment was returned: ${first}`, remedy);
    return 'No payment was returned.';
  }
  if (typeof first.id !== 'string' || first.id === '') {
    yield failed(
      'charge.same-key',
      'The payment has no id, which the API docs require.',
      'Ask the platform for the reason.',
    );
    return 'The payment has no id.';
  }
  yield await checkSameKey(context, order, key, first);
  yield await checkAtOnce(context);
  yield await checkOtherPayload(context, order, key, first);
  yield await checkOtherReference(context, order, key, first);
  yield await checkLostResponse(context);
  yield await checkSimilarKeys(context);
  yield checkBody(order, first);
  yield await checkFieldNames(context);
  return undefined;
}

/** The name's letters outside ASCII show a wrong encoding. */
const customerData = ['João Conceição', 'doctor@example.com', '12345678909'] as const;

export function sampleOrder(): PixPayment {
  const amount = limits.paymentAmountCents.min;
  const [name, email, number] = customerData;
  return {
    externalId: `doctor-${crypto.randomUUID()}`,
    amount,
    paymentMethod: 'pix',
    customer: { name, email, document: { number, type: 'cpf' } },
    items: [{ title: 'Café e pão', quantity: 1, unitPrice: amount }],
  };
}

/** All messages hide the key. */
export function newKey({ secrets }: DiagnosisContext): string {
  const key = `doctor-${crypto.randomUUID()}`;
  secrets.push(key);
  return key;
}

/** @param idempotencyKey a key of `newKey`, because the returned reason can quote it */
export async function sendPayment(
  { platform, call }: DiagnosisContext,
  order: PixPayment,
  idempotencyKey: string,
): Promise<Payment | string> {
  try {
    return await platform.payments.create(order, { ...call, idempotencyKey });
  } catch (error) {
    return describeError(error);
  }
}

const isDoubtful = (error: unknown): boolean =>
  isPaymentPlatformError(error) && error.outcome === 'unknown' && error.code !== 'payment_outcome_unknown';

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

const atOnce = 4;

/** Sends requests with one key at the same time, as two clicks or two processes do. */
async function checkAtOnce(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.at-once';
  const { platform, call } = context;
  const together = <Result>(send: () => Promise<Result>) => Promise.all(Array.from({ length: atOnce }, send));
  // The connections are opened first, because their handshakes would spread the requests over time.
  await together(() =>
    platform
      .request({ method: 'GET', path: '/v1/webhooks', response: 'none' }, { ...call, maxRetries: 0 })
      .catch(() => undefined),
  );
  const order = sampleOrder();
  const key = newKey(context);
  // Without retries, which would hide a failed response behind the payment of the next one.
  const options = { ...call, idempotencyKey: key, maxRetries: 0 };
  const payments = await together(() =>
    platform.payments
      .create(order, options)
      .catch((error: unknown) => (isDoubtful(error) ? describeError(error) : undefined)),
  );
  const doubtful = payments.filter((payment) => typeof payment === 'string');
  // The platform can reject the requests that arrive while the first one runs.
  const last = await sendPayment(context, order, key);
  if (typeof last === 'string')
    return failed(
      name,
      `After ${atOnce} requests at once with one key, no payment was returned: ${last}`,
      'Ask the platform for the reason.',
    );
  const ids = new Set(
    [...payments, last].flatMap((payment) => (typeof payment === 'object' ? payment.id : [])),
  );
  if (doubtful.length > 0 && ids.size === 1)
    return failed(
      name,
      `${doubtful.length} of ${atOnce} requests at once with one key have an unknown outcome: ${doubtful[0]}`,
      `Each may have made a payment. Ask the platform how many payments have the externalId ${order.externalId}.`,
    );
  return ids.size === 1
    ? ok(name, `${atOnce} requests at once with one key: one payment, ${last.id}.`)
    : failed(
        name,
        `${atOnce} requests at once with one key made ${ids.size} payments: ${[...ids].join(', ')}.`,
        'Do not go live: two clicks are two charges. Ask the platform to keep a key from its first request on.',
      );
}

function checkOtherPayload(
  context: DiagnosisContext,
  order: PixPayment,
  key: string,
  first: Payment,
): Promise<DoctorCheck> {
  const amount = order.amount + 1;
  const other = { ...order, amount, items: [{ title: 'Café e pão', quantity: 1, unitPrice: amount }] };
  return checkReuse(context, 'charge.other-payload', 'another payload', other, key, first);
}

/** A platform that never receives the key, and compares the externalId instead, passes every other check. */
function checkOtherReference(
  context: DiagnosisContext,
  order: PixPayment,
  key: string,
  first: Payment,
): Promise<DoctorCheck> {
  const other = { ...order, externalId: sampleOrder().externalId };
  return checkReuse(context, 'charge.other-order', 'another externalId', other, key, first);
}

/** Rejections that say nothing about the key, because a gateway can send them. */
const gatewayStatuses: readonly number[] = [401, 403, 404, 405, 407, 429];

/** Only the first payment, or a rejection in JSON, proves that nothing was charged. */
async function checkReuse(
  { platform, call, statuses }: DiagnosisContext,
  name: CheckName,
  what: string,
  order: PixPayment,
  key: string,
  first: Payment,
): Promise<DoctorCheck> {
  try {
    const { id } = await platform.request<{ id: unknown }>(
      { method: 'POST', path: '/v1/payments', body: order, replay: 'keyed' },
      { ...call, idempotencyKey: key },
    );
    return id === first.id
      ? ok(name, `The key with ${what}: ${firstReturned}`)
      : failed(name, `The key with ${what} made another payment, ${id}.`, secondCharge);
  } catch (error) {
    const shown = describeError(error);
    const { status, outcome, code, attempts } = error as PaymentPlatformError;
    // The call rejects the first payment, because its externalReference is not the order's.
    if (shown.includes(`is for another request (id ${first.id})`))
      return ok(name, `The key with ${what}: ${firstReturned}`);
    // After several attempts, a 409 can be about the first one.
    const isConflict = code === 'payment_outcome_unknown' && attempts === 1;
    const isRejected = (outcome === 'not-executed' || isConflict) && hasJson(error);
    if (status === undefined || !isRejected || gatewayStatuses.includes(status))
      return failed(
        name,
        `The key with ${what}: nothing shows that it was rejected. ${shown}`,
        outcome === 'not-executed'
          ? 'A gateway can be the reason. Let these requests reach the platform, and run it again.'
          : `Do not go live before you know whether it was charged. Ask the platform for every payment with the externalId ${order.externalId}.`,
      );
    if (status !== responseStatus.keyReused) statuses.keyReused = status;
    return ok(name, `The key with ${what}: rejected with ${status}.`);
  }
}

/** Does not use `rawBodyOf`, which returns undefined for errors of another copy of the package. */
const hasJson = (error: unknown): boolean =>
  isPaymentPlatformError(error) &&
  (error.body?.code !== undefined ||
    error.body?.fields !== undefined ||
    error.message.includes('The platform says: '));

const firstReturned = 'the first payment was returned, and nothing was charged.';

/**
 * The keys have the maximum length, and differ only at one end: in the case of the last character, in the
 * place of a hyphen, or in the first character. A platform or gateway that truncates or normalises keys fails
 * this check.
 */
async function checkSimilarKeys(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.similar-keys';
  const start = newKey(context);
  const padding = '-'.repeat(limits.idempotencyKeyLength - start.length - 3);
  const keys = ['1-a', '1-A', '-1a'].map((end) => `${start}${padding}${end}`);
  keys.push(`x${keys[0]?.slice(1)}`);
  context.secrets.unshift(...keys);
  const requests = keys.map((key) => ({ key, order: sampleOrder() }));
  const ids: string[] = [];
  for (const { key, order } of [...requests, ...requests.slice(0, 1)]) {
    try {
      ids.push((await context.platform.payments.create(order, { ...context.call, idempotencyKey: key })).id);
    } catch (error) {
      const reason = describeError(error);
      if (ids.length === 0)
        return failed(name, `A key of ${key.length} characters: ${reason}`, 'Use short keys.');
      // A timeout or a rate limit says nothing about the keys.
      return isPaymentPlatformError(error) && error.outcome === 'not-executed' && error.status !== 429
        ? failed(name, `${differAtOneEnd} do not make separate payments: ${reason}`, useShortKeys)
        : skipped(name, `A payment failed: ${reason}`);
    }
  }
  if (ids.pop() !== ids[0])
    return failed(name, 'Two requests with one long key made two payments.', secondCharge);
  return new Set(ids).size === keys.length
    ? ok(name, `${differAtOneEnd} make separate payments, and a long key makes one.`)
    : failed(name, `${differAtOneEnd} do not make separate payments: ${ids.join(', ')}`, useShortKeys);
}

const differAtOneEnd = 'Keys that differ only at one end';

const useShortKeys =
  'Use short keys of letters in lower case and digits. Otherwise an order can get the payment of another one.';

async function checkLostResponse(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.lost-response';
  const { tapped, call, statuses } = context;
  if (typeof tapped === 'string') return skipped(name, tapped);
  const { tap, platform } = tapped;
  const before = tap.exchanges.length;
  const idempotencyKey = newKey(context);
  tap.cutNextResponse();
  try {
    const payment = await platform.payments.create(sampleOrder(), {
      ...call,
      idempotencyKey,
      maxRetries: 2,
    });
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

function checkBody(order: PixPayment, payment: Payment): DoctorCheck {
  const name = 'charge.body';
  const sent = [
    ['amount', order.amount, payment.amount],
    ['items.0.unitPrice', order.items[0]?.unitPrice, payment.items?.[0]?.unitPrice],
    ['paymentMethod', order.paymentMethod, payment.paymentMethod],
    ['externalReference', order.externalId, payment.externalReference],
    ['items.0.title', order.items[0]?.title, payment.items?.[0]?.title],
    ['customer.name', order.customer.name, payment.customer?.name ?? undefined],
  ] as const;
  const changed = sent.filter(([, before, after]) => after !== undefined && after !== before);
  if (changed.length === 0) return ok(name, 'The payment has the fields of the order, unchanged.');
  const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const shown = changed.map(([field, before, after]) =>
    // Quotes show that a number came as a string.
    typeof before === 'number'
      ? `${field} is ${JSON.stringify(after)}, not ${before}`
      : `${field} is ${show(after)}, not ${before}`,
  );
  return failed(
    name,
    `The payment differs from the order: ${shown.join('; ')}.`,
    changed.some(([, before, after]) => typeof before === 'number' && isOtherUnit(before, after))
      ? 'Do not go live: amounts must be integers in cents, as in the API docs. Ask the platform for its unit.'
      : 'A gateway rewrites the body or its charset. Let it pass bodies unchanged.',
  );
}

/** An amount in reais instead of cents, the reverse, or an amount that is not a number. */
const isOtherUnit = (cents: number, amount: unknown): boolean =>
  typeof amount !== 'number' || amount * 100 === cents || amount === cents * 100;

async function checkFieldNames(context: DiagnosisContext): Promise<DoctorCheck> {
  const name = 'charge.field-names';
  const { platform, client, call, fieldNames } = context;
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
    const payment = await platform.payments.create(order, { ...call, idempotencyKey: newKey(context) });
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
