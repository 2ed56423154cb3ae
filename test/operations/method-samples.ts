import { calledRecords } from './index.js';
import type { SampleValues } from './sample-values.js';

type Samples = Readonly<Record<string, (values: SampleValues) => unknown>>;

/** The samples of the methods without an operation. */
const otherSamples: Samples = {
  'payments.validate': ({ platform, order }) => {
    platform.payments.validate(order, { idempotencyKey: 'order-1042' });
  },
  'onboarding.validatePf': ({ platform, seller, licence, selfie }) => {
    platform.onboarding.validatePf({ ...seller, cnhCompleta: licence, selfie });
  },
  'onboarding.validatePj': ({ platform, company }) => {
    platform.onboarding.validatePj(company);
  },
  'payments.reconcile': async ({ platform, order }) => {
    const payment = await platform.payments.reconcile(order, {
      idempotencyKey: 'order-1042',
      timeout: 60_000,
    });
    console.log(payment.id, payment.status);
  },
  'onboarding.waitFor': async ({ platform, registrationId }) => {
    const { status } = await platform.onboarding.waitFor(registrationId, {
      until: ['approved', 'rejected'],
      onStatus: ({ status }) => console.log(status),
    });
    console.log(status);
  },
  'domains.verificationResponse': async ({ platform }) => {
    const domain = await platform.domains.register({ domainName: 'shop.example' });
    return platform.domains.verificationResponse(domain);
  },
  'webhooks.verify': async ({ platform, request, secret }) => {
    const body = await request.text();
    const event = platform.webhooks.verify({ body, headers: request.headers }, secret);
    console.log(event.event);
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
  'durable.findPayload': async ({ durable }) => {
    const payment = await durable.findPayload('order-1042');
    console.log(payment === undefined ? 'erased' : 'recorded');
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

/** A sample for each method. The pages show the functions' bodies, and a test runs the functions. */
export const methodSamples: Samples = {
  ...Object.fromEntries(Object.entries(calledRecords).map(([id, { sample }]) => [id, sample])),
  ...otherSamples,
};
