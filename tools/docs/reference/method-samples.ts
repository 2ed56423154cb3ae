import type { PaymentPlatform } from '../../../src/client.js';
import type { WebhookEvent } from '../../../src/contract/events.js';
import type { OnboardingPf, OnboardingPj } from '../../../src/contract/onboarding/types.js';
import type { CreatePayment } from '../../../src/contract/payments/types.js';
import type { DurablePayments } from '../../../src/durable/durable-payments.js';
import type { DurablePayment } from '../../../src/durable/payload.js';
import type { Receiver } from '../../../src/webhooks/types.js';

/** The values that the samples use without declaring them. */
export interface SampleValues {
  readonly platform: PaymentPlatform;
  readonly durable: DurablePayments<object>;
  readonly receiver: Receiver;
  readonly order: CreatePayment & DurablePayment;
  readonly paymentId: string;
  readonly seller: Omit<OnboardingPf, 'cnhCompleta' | 'documentoFrente' | 'documentoVerso' | 'selfie'>;
  readonly company: OnboardingPj;
  readonly licence: Uint8Array;
  readonly selfie: Uint8Array;
  readonly registrationId: string;
  readonly internalId: string;
  readonly withdrawId: number;
  readonly certificateId: string;
  readonly certificate: Uint8Array;
  readonly endpointId: string;
  readonly request: Request;
  readonly event: WebhookEvent;
  readonly secret: string;
  readonly client: object;
  readonly signal: AbortSignal;
}

/** A sample for each method. The pages show the functions' bodies, and a test runs the functions. */
export const methodSamples: Readonly<Record<string, (values: SampleValues) => unknown>> = {
  'payments.create': async ({ platform }) => {
    const payment = await platform.payments.create(
      {
        externalId: 'order-1042',
        amount: 1990,
        paymentMethod: 'pix',
        customer: { name: 'Ana Souza', document: { number: '12345678909', type: 'cpf' } },
        items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
      },
      { idempotencyKey: 'order-1042' },
    );
    console.log(payment.id, payment.status);
  },
  'payments.validate': ({ platform, order }) => {
    platform.payments.validate(order, { idempotencyKey: 'order-1042' });
  },
  'payments.boleto': async ({ platform, paymentId }) => {
    const { bytes, contentType } = await platform.payments.boleto(paymentId);
    console.log(contentType, bytes.length);
  },
  'payments.reconcile': async ({ platform, order }) => {
    const payment = await platform.payments.reconcile(order, {
      idempotencyKey: 'order-1042',
      timeout: 60_000,
    });
    console.log(payment.id, payment.status);
  },
  'submerchants.create': async ({ platform }) => {
    const submerchant = await platform.submerchants.create({
      documentNumber: '11.222.333/0001-81',
      documentType: 'cnpj',
      phone: '+5511912345678',
    });
    console.log(submerchant);
  },
  'submerchants.update': async ({ platform, internalId }) => {
    await platform.submerchants.update(internalId, { phone: '+5511912345678' });
  },
  'submerchants.withdrawals.create': async ({ platform, internalId }) => {
    const withdrawal = await platform.submerchants.withdrawals.create({ internalId, amount: 5000 });
    console.log(withdrawal.withdraw_id);
  },
  'submerchants.withdrawals.retrieve': async ({ platform, withdrawId }) => {
    const withdrawal = await platform.submerchants.withdrawals.retrieve(withdrawId);
    console.log(withdrawal.status);
  },
  'onboarding.submitPf': async ({ platform, seller, licence, selfie }) => {
    const { registration_id } = await platform.onboarding.submitPf({
      ...seller,
      cnhCompleta: licence,
      selfie,
    });
    console.log(registration_id);
  },
  'onboarding.submitPj': async ({ platform, company }) => {
    const { registration_id } = await platform.onboarding.submitPj(company);
    console.log(registration_id);
  },
  'onboarding.status': async ({ platform, registrationId }) => {
    const { status, can_resubmit } = await platform.onboarding.status(registrationId);
    console.log(status, can_resubmit);
  },
  'onboarding.resendDocuments': async ({ platform, registrationId, selfie }) => {
    await platform.onboarding.resendDocuments(registrationId, { selfie });
  },
  'onboarding.waitFor': async ({ platform, registrationId }) => {
    const { status } = await platform.onboarding.waitFor(registrationId, {
      until: ['approved', 'rejected'],
      onStatus: ({ status }) => console.log(status),
    });
    console.log(status);
  },
  'certificates.list': async ({ platform }) => {
    const { data } = await platform.certificates.list({ type: 'apple_pay_payment_processing' });
    for (const { id, status, notAfter } of data) console.log(id, status, notAfter);
  },
  'certificates.activate': async ({ platform, certificateId, certificate }) => {
    const { status, notAfter } = await platform.certificates.activate(certificateId, { certificate });
    console.log(status, notAfter);
  },
  'certificates.revoke': async ({ platform, certificateId }) => {
    const { status } = await platform.certificates.revoke(certificateId);
    console.log(status);
  },
  'domains.register': async ({ platform }) => {
    const { status, verificationFile } = await platform.domains.register({ domainName: 'shop.example' });
    console.log(status, verificationFile?.path);
  },
  'domains.list': async ({ platform }) => {
    const { data } = await platform.domains.list();
    for (const { domainName, status } of data) console.log(domainName, status);
  },
  'domains.verificationResponse': async ({ platform }) => {
    const domain = await platform.domains.register({ domainName: 'shop.example' });
    return platform.domains.verificationResponse(domain);
  },
  'webhooks.create': async ({ platform, secret }) => {
    const { id } = await platform.webhooks.create({
      webhook_url: 'https://shop.example/webhooks',
      events: ['transaction.paid', 'transaction.refused'],
      hmac_secret: secret,
    });
    console.log(id);
  },
  'webhooks.update': async ({ platform, endpointId, secret }) => {
    await platform.webhooks.update(endpointId, {
      webhook_url: 'https://shop.example/webhooks',
      events: ['transaction.paid', 'transaction.refunded'],
      hmac_secret: secret,
    });
  },
  'webhooks.list': async ({ platform }) => {
    const { data } = await platform.webhooks.list();
    for (const { id, endpoint, status } of data) console.log(id, endpoint, status);
  },
  'webhooks.verify': async ({ platform, request, secret }) => {
    const body = await request.text();
    const event = platform.webhooks.verify({ body, headers: request.headers }, secret);
    console.log(event.event);
  },
  'vault.tokenize': async ({ platform }) => {
    const { cardTokenId } = await platform.vault.tokenize<{ cardTokenId: string }>({
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
    });
    console.log(cardTokenId);
  },
  'platform.with': async ({ platform }) => {
    const shop = platform.with({ clientId: 'shop-b', clientSecret: 'secret-of-shop-b' });
    console.log(shop.toJSON());
  },
  'platform.request': async ({ platform }) => {
    const { data } = await platform.request<{ data: unknown[] }>({ method: 'GET', path: '/v1/certificates' });
    console.log(data.length);
  },
  'platform.warmUp': async ({ platform }) => {
    await platform.warmUp();
  },
  'platform.close': ({ platform }) => {
    platform.close();
  },
  'platform.toJSON': ({ platform }) => {
    console.log(JSON.stringify(platform));
  },
  'durable.create': async ({ durable, order }) => {
    const { payment, record } = await durable.create(order, { key: 'order-1042' });
    console.log(payment.status, record.state);
  },
  'durable.enqueue': async ({ durable, order, client }) => {
    const { state } = await durable.enqueue(order, { key: 'order-1042', client });
    console.log(state);
  },
  'durable.settle': async ({ durable }) => {
    const { payment } = await durable.settle('order-1042');
    console.log(payment.status);
  },
  'durable.refresh': async ({ durable }) => {
    const { payment, isCurrent } = await durable.refresh('order-1042');
    console.log(payment.status, isCurrent);
  },
  'durable.settleDue': async ({ durable }) => {
    const count = await durable.settleDue({ limit: 100 });
    console.log(count);
  },
  'durable.run': async ({ durable, signal }) => {
    await durable.run({ signal });
  },
  'durable.observe': async ({ durable, event }) => {
    const { outcome, record } = await durable.observe(event);
    if (outcome !== 'applied') return; // a later status, another system's payment, or another amount
    console.log(record.key, record.payment?.status);
  },
  'durable.find': async ({ durable }) => {
    const record = await durable.find('order-1042');
    console.log(record?.state);
  },
  'durable.list': async ({ durable }) => {
    const records = await durable.list({ state: 'given_up', limit: 100 });
    for (const { key, error } of records) console.log(key, error?.message);
  },
  'durable.counts': async ({ durable }) => {
    for (const { state, count } of await durable.counts()) console.log(state, count);
  },
  'durable.cancel': async ({ durable }) => {
    const isCancelled = await durable.cancel('order-1042');
    console.log(isCancelled);
  },
  'durable.retry': async ({ durable }) => {
    const isReopened = await durable.retry('order-1042');
    console.log(isReopened);
  },
  'durable.adopt': async ({ durable }) => {
    const count = await durable.adopt({ clientId: 'former-client-id' });
    console.log(count);
  },
  'durable.forget': async ({ durable }) => {
    const isErased = await durable.forget('order-1042');
    console.log(isErased);
  },
  'receiver.receive': async ({ receiver, request }) => {
    const body = await request.text();
    const { status } = await receiver.receive({ body, headers: request.headers });
    return new Response(null, { status });
  },
  'receiver.fetch': async ({ receiver, request }) => {
    return receiver.fetch(request);
  },
};
