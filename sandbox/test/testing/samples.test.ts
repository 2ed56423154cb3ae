import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import { paymentMethods } from '../../../src/contract/payments/methods.js';
import { type CreatePayment, isValidCnpj, isValidCpf, PaymentPlatform } from '../../../src/index.js';
import type { Sandbox } from '../../index.js';
import { createSamples, type Samples, samples } from '../../testing/index.js';
import { sandboxForTest } from '../support.js';

interface Parts {
  readonly platform: PaymentPlatform;
  readonly sandbox: Sandbox;
  readonly samples: Samples;
}

/** Creates an active sub-account with a CPF or CNPJ. */
async function subAccount({ platform, samples }: Parts): Promise<{ internalId: string; document: string }> {
  const form = samples.submerchants.create();
  const { internalId } = await platform.submerchants.create<{ internalId: string }>(form);
  return { internalId, document: String(form.documentNumber) };
}

async function rejected({ platform, sandbox, samples }: Parts): Promise<string> {
  const { registration_id } = await platform.onboarding.submitPf(samples.onboarding.pf());
  sandbox.control.onboarding.reject(registration_id, { canResubmit: true });
  return registration_id;
}

/** Maps each operation to the client's calls that send its samples. */
const uses: Readonly<Record<string, readonly ((parts: Parts) => Promise<unknown>)[]>> = {
  'payments.create': [
    ({ platform, samples }) => platform.payments.create(samples.payments.pix()),
    ({ platform, samples }) => platform.payments.create(samples.payments.boleto()),
    ({ platform, samples }) => platform.payments.create(samples.payments.card()),
    ({ platform, samples }) => platform.payments.create(samples.payments.vault()),
    ({ platform, samples }) => platform.payments.create(samples.payments.wallet()),
    async ({ platform, samples }) => {
      const { upsell } = await platform.payments.create(samples.payments.card());
      return platform.payments.create(samples.payments.upsell(upsell?.token ?? ''));
    },
    async (parts) => {
      const receivers = [await subAccount(parts), await subAccount(parts)].map(({ document }) => document);
      const payment = await parts.platform.payments.create(parts.samples.payments.split(receivers));
      expect(payment.split).toMatchObject({ netAmount: 1990, entries: [{}, {}, { amount: 1592 }] });
      return payment;
    },
  ],
  'submerchants.create': [
    ({ platform, samples }) => platform.submerchants.create(samples.submerchants.create()),
  ],
  'submerchants.update': [
    async (parts) => {
      const { internalId } = await subAccount(parts);
      return parts.platform.submerchants.update(internalId, parts.samples.submerchants.update());
    },
  ],
  'submerchants.withdrawals.create': [
    async (parts) => {
      const { internalId } = await subAccount(parts);
      return parts.platform.submerchants.withdrawals.create(
        parts.samples.submerchants.withdrawal(internalId),
      );
    },
  ],
  'onboarding.submitPf': [({ platform, samples }) => platform.onboarding.submitPf(samples.onboarding.pf())],
  'onboarding.submitPj': [({ platform, samples }) => platform.onboarding.submitPj(samples.onboarding.pj())],
  'onboarding.resendDocuments': [
    async (parts) =>
      parts.platform.onboarding.resendDocuments(await rejected(parts), parts.samples.onboarding.resend()),
  ],
  'domains.register': [({ platform, samples }) => platform.domains.register(samples.domains.register())],
  'certificates.activate': [
    async ({ platform, sandbox, samples }) => {
      const record = await sandbox.control.certificates.create();
      const { der } = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
      return platform.certificates.activate(record.id, samples.certificates.activate(der));
    },
  ],
  'webhooks.create': [({ platform, samples }) => platform.webhooks.create(samples.webhooks.register())],
  'webhooks.update': [
    async ({ platform, samples }) => {
      const { id } = await platform.webhooks.create(samples.webhooks.register());
      return platform.webhooks.update(id, samples.webhooks.update());
    },
  ],
  'vault.tokenize': [({ platform, samples }) => platform.vault.tokenize(samples.vault.tokenize())],
};

/** The client itself builds the body of a token request. */
const withBody = operations
  .filter(({ encoding, id }) => encoding !== 'none' && id !== 'oauth.token')
  .map(({ id }) => id);

test('every operation with a body has a sample', () => {
  expect(Object.keys(uses).sort()).toEqual([...withBody].sort());
});

const parts = (own: Samples): Parts => {
  const sandbox = sandboxForTest({ features: { paas: true, split: true }, rateLimits: false });
  return {
    sandbox,
    samples: own,
    platform: new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 }),
  };
};

describe.each(Object.entries(uses))('the samples for %s', (operation, senders) => {
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

test('every payment sample is used in this file', () => {
  expect(Object.keys(samples.payments)).toHaveLength(uses['payments.create']?.length ?? 0);
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
