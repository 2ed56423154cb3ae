import Database from 'libsql';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox, testNames } from '../../sandbox/index.js';
import { createSamples } from '../../sandbox/testing/samples/samples.js';
import { PaymentPlatform } from '../../src/client.js';
import type { WebhookEvent } from '../../src/contract/events.js';
import { operations } from '../../src/contract/index.js';
import { createDurablePayments, sqlitePayments, sqlitePaymentsSql } from '../../src/durable/index.js';
import { createReceiver, memoryDedupe, sign } from '../../src/webhooks/index.js';
import { calledRecords } from '../operations/index.js';
import { methodSamples } from '../operations/method-samples.js';
import type { OperationRecord } from '../operations/operation-record.js';
import type { SampleValues } from '../operations/sample-values.js';

const secret = 'a-secret-of-at-least-16-characters';
const key = 'order-1042';

afterAll(() => vi.restoreAllMocks());
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

/** Creates a sandbox with one of everything that the samples use. */
async function createValues(
  sandbox: Sandbox,
): Promise<SampleValues & { readonly database: Database.Database }> {
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const samples = createSamples();
  const order = samples.payments.pix({ externalId: key });
  const boleto = await platform.payments.create(samples.payments.boleto());
  const submerchant = await platform.submerchants.create(samples.submerchants.create());
  const internalId = String(submerchant.internalId);
  const { withdraw_id } = await platform.submerchants.withdrawals.create(
    samples.submerchants.withdrawal(internalId),
  );
  const { cnhCompleta, selfie, ...seller } = samples.onboarding.pf();
  const { registration_id } = await platform.onboarding.submitPf(
    samples.onboarding.pf({ fullName: testNames.rejectedThenApproved }),
  );
  await platform.onboarding.waitFor(registration_id, { until: 'rejected', interval: 10 });
  const { id: certificateId, signingRequestPem = '' } = await sandbox.control.certificates.create();
  const { der } = await sandbox.control.certificates.issue(String(signingRequestPem));
  const { id: endpointId } = await platform.webhooks.create(samples.webhooks.register());
  const database = new Database(':memory:');
  database.exec(sqlitePaymentsSql());
  const durable = createDurablePayments(platform, { store: sqlitePayments(database) });
  const receiver = createReceiver({ secret, dedupe: memoryDedupe(), on: { 'transaction.paid': () => {} } });
  const event = { event: 'transaction.paid', id: boleto.id, status: 'paid', externalReference: key };
  const body = JSON.stringify(event);
  const init = { method: 'POST', body, headers: sign({ body, secret }) };
  return {
    platform,
    durable: durable as unknown as SampleValues['durable'],
    receiver,
    order: order as SampleValues['order'],
    paymentId: boleto.id,
    seller: seller as SampleValues['seller'],
    company: samples.onboarding.pj(),
    licence: cnhCompleta as Uint8Array,
    selfie: selfie as Uint8Array,
    registrationId: registration_id,
    internalId,
    withdrawId: Number(withdraw_id),
    certificateId,
    certificate: der,
    endpointId,
    request: new Request('https://shop.example/webhooks', init),
    event: event as WebhookEvent,
    secret,
    client: database,
    signal: AbortSignal.abort(),
    database,
  };
}

/** Prepares the record that a sample of durable payments changes or reads. */
async function prepare(method: string, values: SampleValues & { readonly database: Database.Database }) {
  const { durable, order, database, platform } = values;
  if (method === 'payments.reconcile') await platform.payments.create(order, { idempotencyKey: key });
  if (method === 'durable.enqueue') database.exec('BEGIN');
  if (/settle$|settleDue|cancel/.test(method)) await durable.enqueue(order, { key });
  if (!/refresh|find|observe|forget/.test(method)) return values;
  const { payment } = await durable.create(order, { key });
  return { ...values, event: { ...values.event, id: payment.id } as WebhookEvent };
}

describe('the sample in the reference', () => {
  test.each(Object.entries(methodSamples))('for %s runs against the sandbox', async (method, run) => {
    const sandbox = createSandbox();
    const values = await createValues(sandbox);
    const record: Partial<OperationRecord> = calledRecords[method as keyof typeof calledRecords] ?? {};
    await record.beforeSample?.(sandbox, values);
    await expect((async () => run((await prepare(method, values)) ?? values))()).resolves.toSatisfy(
      (result) => !(result instanceof Response) || result.ok,
    );
  });

  test.each(
    operations
      .filter(({ id, idempotencyKey }) => idempotencyKey === 'none' && id in methodSamples)
      .map(({ id }) => id),
  )('for %s passes no idempotency key, because the API docs describe none', (name) => {
    expect(String(methodSamples[name as keyof typeof methodSamples])).not.toContain('idempotencyKey');
  });
});
