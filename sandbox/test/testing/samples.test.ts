import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import { paymentMethods } from '../../../src/contract/payments/methods.js';
import { findSchemas } from '../../../src/contract/schemas.js';
import { type CreatePayment, isValidCnpj, isValidCpf, PaymentPlatform } from '../../../src/index.js';
import { calledRecords } from '../../../test/operations/index.js';
import type { OperationRecord, SampleParts } from '../../../test/operations/operation-record.js';
import { createSubAccount } from '../../../test/operations/sub-account.js';
import { createSamples, type Samples, samples } from '../../testing/index.js';
import { sandboxForTest } from '../support.js';

/** The samples of each operation that has some. */
const uses = Object.entries<OperationRecord>(calledRecords).flatMap(([id, { testSamples }]) =>
  testSamples === undefined ? [] : [[id, testSamples] as const],
);

/** Lists the operations whose body has a required field. */
const withRequiredFields = operations
  .filter(({ id }) => id in calledRecords && findSchemas(id).request?.safeParse({}).success === false)
  .filter(({ encoding }) => encoding !== 'none')
  .map(({ id }) => id);

test('every operation whose body has a required field has a sample', () => {
  const sampled = uses.map(([id]) => id);
  expect(withRequiredFields).toContain('onboarding.submitPf');
  expect(withRequiredFields.filter((id) => !sampled.includes(id))).toEqual([]);
});

const parts = (own: Samples): SampleParts => {
  const sandbox = sandboxForTest({ features: { paas: true, split: true }, rateLimits: false });
  return {
    sandbox,
    samples: own,
    platform: new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 }),
  };
};

describe.each(uses)('the samples for %s', (operation, senders) => {
  test.each(senders.map((send, index) => [index, send] as const))(
    'include sample %i, which the client sends and the sandbox accepts',
    async (_, send) => {
      const all = parts(samples);
      await send(all);
      const { requests } = all.sandbox.journal;
      expect(requests.at(-1)).toMatchObject({
        operation,
        status: expect.toSatisfy((status) => status < 300),
      });
    },
  );
});

test.each(paymentMethods)('the payment samples include one with the method %s', (method) => {
  const bodies = Object.values(samples.payments).map((create: (argument?: never) => CreatePayment) =>
    create(),
  );
  expect(bodies.map(({ paymentMethod }) => paymentMethod)).toContain(method);
});

test('every payment sample is used in the record of payments.create', () => {
  expect(Object.keys(samples.payments)).toHaveLength(
    calledRecords['payments.create'].testSamples?.length ?? 0,
  );
});

test('the split sample gives each receiver a tenth, and the merchant the rest', async () => {
  const all = parts(samples);
  const receivers = [await createSubAccount(all), await createSubAccount(all)].map(
    ({ document }) => document,
  );
  const { split } = await all.platform.payments.create(samples.payments.split(receivers));
  expect(split).toMatchObject({
    netAmount: 1990,
    entries: [{ amount: 199 }, { amount: 199 }, { amount: 1592 }],
  });
});

describe('the test samples', () => {
  test('have different ids in each call', () => {
    const { payments, onboarding, submerchants, domains, webhooks, key, notification } = createSamples();
    const pairs = [
      () => payments.pix().externalId,
      () => payments.upsell('token').externalId,
      () => onboarding.pf().document,
      () => onboarding.pj().cnpj,
      () => submerchants.create().documentNumber,
      () => domains.register().domainName,
      () => webhooks.register().webhook_url,
      () => key(),
      () => notification('transaction.paid').id,
      () => notification('transaction.paid').notificationId,
    ].map((make) => [make(), make()]);
    for (const [one, other] of pairs) {
      expect(one).toBeTruthy();
      expect(one).not.toBe(other);
    }
  });

  test('have the same ids after each call of createSamples', () => {
    const run = () => {
      const { payments, onboarding, key } = createSamples();
      return JSON.stringify([payments.pix(), onboarding.pj(), payments.card(), key()]);
    };
    expect(run()).toBe(run());
    expect(createSamples().key()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('have valid documents', () => {
    const { onboarding, submerchants } = createSamples();
    for (let index = 0; index < 50; index++) {
      const { cnpj = '', representativeCpf = '' } = onboarding.pj();
      expect([isValidCnpj(cnpj), isValidCpf(representativeCpf)]).toEqual([true, true]);
      expect(isValidCpf(onboarding.pf().document)).toBe(true);
      expect(isValidCnpj(String(submerchants.create().documentNumber))).toBe(true);
    }
  });

  test('merge overrides into objects, replace lists, and omit undefined values', () => {
    const { payments, onboarding } = createSamples();
    const payment = payments.card({
      externalId: undefined,
      amount: 500,
      card: { number: '4000000000000002', installments: undefined },
      items: [{ title: 'Tea', quantity: 1, unitPrice: 500 }],
      metadata: { basket: { id: 1 } },
    });
    expect(payment).not.toHaveProperty('externalId');
    expect(payment.amount).toBe(500);
    expect(payment.card).toEqual({
      number: '4000000000000002',
      cvv: '737',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2035,
    });
    expect(payment.items).toEqual([{ title: 'Tea', quantity: 1, unitPrice: 500 }]);
    expect(payment.metadata).toEqual({ basket: { id: 1 } });
    const selfie = new Blob(['x']);
    const person = onboarding.pf({ selfie, bankAccount: { bankCode: '001' } });
    expect(person.selfie).toBe(selfie);
    expect(person.bankAccount).toMatchObject({ bankCode: '001', bankAgency: '0001' });
  });

  test('do not share objects', () => {
    const { payments } = createSamples();
    (payments.pix().items as unknown[]).length = 0;
    expect(payments.pix().items).toHaveLength(1);
  });

  test('reject an undocumented event', () => {
    expect(() => samples.notification('transaction.payed' as 'transaction.paid')).toThrow(
      /^samples\.notification: the event must be one of transaction\.waiting_payment, /,
    );
  });
});
