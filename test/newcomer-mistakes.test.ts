import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform, redisTokenStore, responseOf } from 'payment-platform';
import { createDurablePayments, memoryPayments, postgresPayments } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { createReceiver, fastifyWebhooks, verify } from 'payment-platform/webhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { id, openCard, pix } from './support/payments.js';

/** The package without types, so that a mistake gets past the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
type Loose = any;

const sandbox = createSandbox();
const platform: Loose = new PaymentPlatform(sandbox.clientOptions());
const options = {
  baseUrl: 'https://api.platform.example',
  clientId: 'merchant',
  clientSecret: 'secret-secret',
};
const Client: Loose = PaymentPlatform;
const durable: Loose = createDurablePayments(platform, { store: memoryPayments() });
const create = (order: object, ...more: unknown[]) => platform.payments.create({ ...pix, ...order }, ...more);
const { amount: _amount, ...withoutAmount } = pix;
const { paymentMethod: _method, ...withoutMethod } = pix;
const { externalId: _id, ...withoutId } = pix;
const secret = 'a-secret-of-16-characters';

afterAll(() => sandbox.close());

/** Lists mistakes, each with a pattern for its message: the problem, the value and the remedy. */
const mistakes: [mistake: string, make: () => unknown, says: RegExp][] = [
  [
    'reais for cents',
    () => create({ amount: 19.9 }),
    /amount must be an integer in cents, got 19\.9\. Did you mean 1990 \(R\$ 19,90\)\?/,
  ],
  [
    'an amount in quotes',
    () => create({ amount: '1990' }),
    /got a string\. Did you mean 1990 without quotes\?/,
  ],
  [
    'an amount as in Brazil',
    () => create({ amount: '19,90' }),
    /got 19,90\. Did you mean 1990 \(R\$ 19,90\)\?/,
  ],
  [
    'whole reais as in Brazil',
    () => create({ amount: '1990,00' }),
    /got 1990,00\. Did you mean 199000 \(R\$ 1990,00\)\?/,
  ],
  [
    'thousands of reais as in Brazil, which could also be a fraction',
    () => create({ amount: '1.999' }),
    /amount must be an integer in cents, got "1\.999"\. R\$ 19,90 is 1990\. Nothing was sent/,
  ],
  [
    'an amount with its currency',
    () => create({ amount: 'R$ 19,90' }),
    /integer in cents.*R\$ 19,90 is 1990/,
  ],
  ['a bigint', () => create({ amount: 1990n }), /amount must be a number, not a bigint/],
  ['too few cents', () => create({ amount: 50 }), /amount must be at least 100 cents/],
  ['an amount of NaN', () => create({ amount: Number.NaN }), /amount must be a finite number, not NaN/],
  ['no amount', () => platform.payments.create({ ...withoutAmount, value: 1990 }), /amount is required/],
  [
    'reais for an item',
    () => create({ items: [{ title: 'a', quantity: 1, unitPrice: 0.5 }] }),
    /items\.0\.unitPrice must be an integer in cents, got 0\.5\. Did you mean 50 \(R\$ 0,50\)\?/,
  ],
  [
    'an item as in another API',
    () => create({ items: [{ title: 'a', quantity: 1, unit_price: 5 }] }),
    /unitPrice is required\. Rename unit_price to unitPrice/,
  ],
  [
    'a quantity in quotes',
    () => create({ items: [{ title: 'a', quantity: '1', unitPrice: 5 }] }),
    /quantity must be a number, not a string/,
  ],
  [
    'one item without a list',
    () => create({ items: { title: 'a' } }),
    /items must be an array, not an object/,
  ],
  [
    'items in a Set',
    () => create({ items: new Set(pix.items) }),
    /items must be an array, not an instance of Set/,
  ],
  ['a method in capitals', () => create({ paymentMethod: 'PIX' }), /must be one of pix, credit_card, /],
  [
    'snake case',
    () => platform.payments.create({ ...withoutMethod, payment_method: 'pix' }),
    /paymentMethod is required: one of pix, credit_card, .*\. Rename payment_method to paymentMethod/,
  ],
  [
    'a Pix with a card',
    () => create({ card: { cardTokenId: 'tok' } }),
    /card is only allowed with paymentMethod 'credit_card'/,
  ],
  [
    'a customer that is a name',
    () => create({ customer: 'Ana' }),
    /customer must be an object, not a string/,
  ],
  [
    'a document that is a number',
    () => create({ customer: { document: '123' } }),
    /customer\.document must be an object/,
  ],
  [
    'a CVV as a number',
    () => create({ ...openCard, card: { ...openCard.card, cvv: 123 } }),
    /card\.cvv must be a string, not an integer/,
  ],
  [
    'a month in quotes',
    () => create({ ...openCard, card: { ...openCard.card, expirationMonth: '12' } }),
    /card\.expirationMonth must be a number, not a string/,
  ],
  [
    'installments next to the card',
    () => create({ ...openCard, installments: 3 }),
    /installments is not in the API docs\. Did you mean card\.installments\?/,
  ],
  [
    'a British spelling',
    () => create({ ...openCard, card: { ...openCard.card, instalments: 3 } }),
    /card\.instalments is not in the API docs\. Did you mean card\.installments\?/,
  ],
  [
    'a misspelt field next to the correct one',
    () => create({ ...openCard, card: { ...openCard.card, installments: 1, instalments: 3 } }),
    /card\.instalments is not in the API docs, and card\.installments is also set\. Remove one, or set checks: \{ 'field\.name': false \}/,
  ],
  [
    'a field in another case next to the correct one',
    () => create({ ...pix, externalId: 'order-1', external_id: 'order-2' }),
    /external_id is not in the API docs, and externalId is also set\. Remove one, or pass it in extraBody/,
  ],
  [
    'instalments next to a card that has them',
    () => create({ ...openCard, installments: 6, card: { ...openCard.card, installments: 1 } }),
    /installments is not in the API docs, and card\.installments is also set/,
  ],
  [
    'a Portuguese name next to the correct one',
    () => create({ ...openCard, card: { ...openCard.card, installments: 1, parcelas: 6 } }),
    /card\.parcelas is not in the API docs, and card\.installments is also set/,
  ],
  [
    'a capitalized object next to the correct one',
    () => create({ ...pix, pix: { expiration: 600 }, Pix: { expiration: 60 } }),
    /Pix is not in the API docs, and pix is also set/,
  ],
  [
    'a Portuguese name',
    () => create({ ...openCard, card: { ...openCard.card, parcelas: 3 } }),
    /card\.parcelas is not in the API docs\. Did you mean card\.installments\?/,
  ],
  [
    'the amount inside the card',
    () =>
      platform.payments.create({
        ...withoutAmount,
        ...openCard,
        amount: undefined,
        card: { ...openCard.card, amount: 1990 },
      }),
    /amount is required\n- card\.amount is not in the API docs\. Did you mean amount\?|card\.amount is not in the API docs\. Did you mean amount\?.*\n- amount is required/,
  ],
  [
    'the items inside the customer',
    () => create({ items: undefined, customer: { name: 'Ana', items: pix.items } }),
    /customer\.items is not in the API docs\. Did you mean items\?/,
  ],
  [
    'a CPF as a field',
    () => create({ customer: { name: 'Ana', cpf: '12345678909' } }),
    /customer\.cpf is not in the API docs\. Did you mean customer\.document\.number\?/,
  ],
  [
    'a due date',
    () => create({ paymentMethod: 'boleto', boleto: { dueDate: '2030-01-01' } }),
    /boleto\.dueDate is not in the API docs\. Did you mean boleto\.expirationDate\?/,
  ],
  [
    'an expiry in other words',
    () => create({ pix: { expiresIn: 600 } }),
    /pix\.expiresIn is not in the API docs\. Did you mean pix\.expiration\?/,
  ],
  [
    'an id in other letters',
    () => platform.payments.create({ ...withoutId, externalID: 'order-1042' }),
    /externalID is not in the API docs\. Did you mean externalId\?/,
  ],
  [
    'a webhook with url',
    () => platform.webhooks.create({ url: 'https://shop.example/webhooks', events: [] }),
    /webhook_url is required\. Rename url to webhook_url/,
  ],
  [
    'a webhook secret by another name',
    () => platform.webhooks.create({ webhook_url: 'https://shop.example', events: [], secret }),
    /secret is not in the API docs\. Did you mean hmac_secret\?/,
  ],
  [
    'a new webhook url in url',
    () => platform.webhooks.update(id, { url: 'https://shop.example/webhooks' }),
    /url is not in the API docs\. Did you mean webhook_url\?/,
  ],
  ['no order', () => platform.payments.create(), /the argument is required/],
  [
    'an order that was not awaited',
    () => platform.payments.create(Promise.resolve(pix)),
    /is a Promise. Await it first/,
  ],
  [
    'an order as JSON',
    () => platform.payments.create(JSON.stringify(pix)),
    /must be an object, not a string/,
  ],
  [
    'a key that is a number',
    () => create({}, { idempotencyKey: 1042 }),
    /idempotencyKey must be a string, not an integer/,
  ],
  [
    'a key instead of the options',
    () => create({}, 'order-1042'),
    /options must be an object, such as \{ idempotencyKey: 'order-1042' \}/,
  ],
  ['a key by a shorter name', () => create({}, { key: 'order-1' }), /Did you mean idempotencyKey\?/],
  [
    'a key made of an object',
    () => create({}, { idempotencyKey: `order-${{}}` }),
    /contains \[object Object\]: use a field of the object, such as order\.id/,
  ],
  ['an empty secret', () => new Client({ ...options, clientSecret: '' }), /clientSecret must not be empty/],
  ['a hook as an option', () => new Client({ ...options, onDrift() {} }), /Did you mean hooks\.onDrift\?/],
  [
    'reais in a reconciliation',
    () => platform.payments.reconcile({ ...pix, amount: 19.9 }, { idempotencyKey: 'order-1' }),
    /^payments\.create: amount must be an integer in cents/,
  ],
  [
    'options of the Fastify plugin in the wrong call',
    () => (fastifyWebhooks as Loose)({ receive() {} }, { path: '/hooks' }),
    /app\.register\(fastifyWebhooks\(receiver\), \{ path \}\)/,
  ],
  ['a key in snake case', () => create({}, { idempotency_key: 'order-1' }), /Did you mean idempotencyKey\?/],
  [
    'a key in the order',
    () => create({ idempotency_key: 'order-1' }),
    /Pass \{ idempotencyKey \} as the next argument/,
  ],
  [
    'a key without its order',
    () => create({}, { idempotencyKey: `order-${undefined}` }),
    /contains undefined, so a value was missing/,
  ],
  [
    'seconds for a timeout',
    () =>
      new Client({
        ...sandbox.clientOptions(),
        fetch: () => new Promise(() => undefined),
        timeout: 3,
      }).payments.create(pix),
    /call's deadline passed \(3 ms; timeout is in milliseconds\)/,
  ],
  [
    'a timeout with its unit',
    () => create({}, { timeout: '30s' }),
    /options\.timeout must be a number of milliseconds/,
  ],
  [
    'a key that is a Promise',
    () => create({}, { idempotencyKey: Promise.resolve('order-1') }),
    /options\.idempotencyKey is a Promise\. Await it first/,
  ],
  [
    'a secret that is a Promise',
    () => new Client({ ...options, clientSecret: Promise.resolve('secret-secret') }),
    /clientSecret is a Promise\. Await it first/,
  ],
  [
    'a base address that is a Promise',
    () => new Client({ ...options, baseUrl: Promise.resolve(options.baseUrl) }),
    /baseUrl is a Promise\. Await it first/,
  ],
  [
    'a card number that is a bigint',
    () => platform.vault.tokenize({ ...openCard.card, number: 4111111111111111n }),
    /number must be a number or a string, not a bigint/,
  ],
  [
    'a street for a state',
    () => platform.onboarding.submitPf({ addressState: 'Rua das Flores' }),
    /addressState must have 2 characters(?!, got)/,
  ],
  [
    'an option of another SDK',
    () => create({}, { retries: 3 }),
    /retries is an unknown option\. Did you mean maxRetries\?/,
  ],
  [
    'a controller for a signal',
    () => create({}, { signal: new AbortController() }),
    /such as controller\.signal/,
  ],
  [
    'the order for its payment',
    () => platform.payments.boleto('order-1042'),
    /Pass the payment id \(payment\.id\), not your externalId/,
  ],
  [
    'a payment for its id',
    () => platform.payments.boleto({ id }),
    /id must be a string, not an object\. Pass a string as the first argument/,
  ],
  [
    'a reconcile without its key',
    () => platform.payments.reconcile(pix),
    /options\.idempotencyKey is required: pass the key of the call whose outcome is unknown/,
  ],
  [
    'a UUID for a withdrawal',
    () => platform.submerchants.withdrawals.retrieve(id),
    /withdrawId must be an integer/,
  ],
  [
    'a CPF for a sub-account',
    () => platform.submerchants.update('12345678909', { phone: '1' }),
    /internalId must be a UUID/,
  ],
  [
    'a date as in Brazil',
    () => platform.onboarding.submitPf({ birthDate: '31/12/1990' }),
    /birthDate must be a date \(YYYY-MM-DD\)/,
  ],
  [
    'a phone without its country',
    () => platform.onboarding.submitPf({ phone: '11912345678' }),
    /phone must be in E\.164 format.*\+5511912345678/,
  ],
  [
    'a number for a file',
    () => platform.onboarding.submitPf({ selfie: 7 }),
    /selfie must be a file\. Pass a path, bytes, a Blob/,
  ],
  [
    'a file for a text',
    () => platform.onboarding.submitPf({ phone: new Blob(['5511912345678']) }),
    /phone must be a string, not a file/,
  ],
  [
    'an address for a domain',
    () => platform.domains.register({ domainName: 'https://shop.example/' }),
    /hostname only, without scheme, port or path/,
  ],
  [
    'plain http for a webhook',
    () => platform.webhooks.create({ webhook_url: 'http://shop.example', events: [] }),
    /webhook_url must be an HTTPS URL/,
  ],
  [
    'an event name of another API',
    () => platform.webhooks.create({ webhook_url: 'https://shop.example', events: ['payment.paid'] }),
    /Did you mean transaction\.paid\?/,
  ],
  [
    'a private key for a certificate',
    () =>
      platform.certificates.activate(id, {
        certificate: '-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----',
      }),
    /contains a private key, which you must never send/,
  ],
  [
    'a key for the options',
    () => new Client('sk_live_1'),
    /must be an object with baseUrl, clientId and clientSecret\.$/,
  ],
  ['no options', () => new Client({}), /baseUrl is missing. Pass it, or set PAYMENT_PLATFORM_BASE_URL/],
  [
    'an option in other capitals',
    () => new Client({ ...options, baseURL: 'https://x.example' }),
    /Did you mean baseUrl\?/,
  ],
  [
    'an address without its scheme',
    () => new Client({ ...options, baseUrl: 'api.example' }),
    /baseUrl must be an absolute URL/,
  ],
  [
    'an address without TLS that ends in a version',
    () => new Client({ ...options, baseUrl: 'http://api.example/v1' }),
    /baseUrl must not end in a version.*\n- baseUrl must be https \(/,
  ],
  [
    'an address with a password and a query',
    () => new Client({ ...options, baseUrl: 'https://a:b@api.example/v1?x=1' }),
    /must not contain a user name or password.*\n- .*must not contain a query.*\n- .*must not end in a version/,
  ],
  [
    'an address without TLS',
    () => new Client({ ...options, baseUrl: 'http://api.example' }),
    /would carry the secret in the clear/,
  ],
  [
    'a path without its slash',
    () => platform.request({ method: 'GET', path: 'v1/certificates' }),
    /path must be a string that starts with \//,
  ],
  [
    'a method in small letters',
    () => platform.request({ method: 'get', path: '/v1/certificates' }),
    /method must be 'GET'/,
  ],
  [
    'the metadata of a Promise',
    () => responseOf(create({})),
    /a Promise that was not awaited, has no metadata/,
  ],
  [
    'a webhook secret that is a Promise',
    () => verify({ body: '{}', headers: {} }, Promise.resolve(secret) as never),
    /verify: secret is a Promise\. Await it first/,
  ],
  [
    'webhook options with a Promise',
    () => verify({ body: '{}', headers: {} }, { secret: Promise.resolve(secret) as never }),
    /verify: secret is a Promise\. Await it first/,
  ],
  [
    'a webhook body that is a Promise',
    () => verify({ body: Promise.resolve('{}') as never, headers: {} }, secret),
    /The body is a Promise\. Await it first/,
  ],
  [
    'the arguments of another webhook library',
    () => (verify as Loose)('{"event":"x"}', {}, secret),
    /Pass \{ body, headers \} as the first argument/,
  ],
  [
    'a webhook without headers',
    () => (verify as Loose)({ body: '{"event":"x"}' }, secret),
    /The delivery has no headers\. Pass \{ body, headers \}/,
  ],
  [
    'a body instead of the delivery',
    () => verify('{"event":"x"}' as never, secret),
    /Pass \{ body, headers \} as the first argument/,
  ],
  [
    'handlers under another name',
    () => (createReceiver as Loose)({ secret, handlers: {} }),
    /handlers is an unknown option\. Did you mean on\?/,
  ],
  [
    'a parsed body',
    () => verify({ body: { event: 'x' } as never, headers: {} }, secret),
    /Pass the raw body:\n- Express: app\.post/,
  ],
  [
    'a receiver without its secret',
    () => (createReceiver as Loose)({ on: {} }),
    /secret is missing\. Pass the endpoint's hmac_secret, such as process\.env\.\w+/,
  ],
  [
    'a handler of an event that does not exist',
    () => (createReceiver as Loose)({ secret, on: { 'payment.paid': () => 1 } }),
    /on\.payment\.paid is an unknown event\. Did you mean transaction\.paid\? Use onUnhandled/,
  ],
  [
    'a durable payment without its key',
    () => durable.create(pix),
    /key is required\. Pass the idempotency key, such as your order number/,
  ],
  [
    'a durable payment with the key of the client',
    () => durable.create(pix, { idempotencyKey: 'order-1042' }),
    /idempotencyKey is an unknown option\. Did you mean key\?/,
  ],
  [
    'a store that was forgotten',
    () => createDurablePayments(platform, {} as never),
    /store is required: postgresPayments\(pool\)/,
  ],
  [
    'an address for a pool',
    () => (postgresPayments as Loose)('postgres://localhost/shop'),
    /postgresPayments takes new Pool\(\{ connectionString: url \}\) of pg/,
  ],
  [
    'an address for a Redis client',
    () => (redisTokenStore as Loose)('redis://localhost'),
    /takes an ioredis, node-redis or Upstash client, such as new Redis\(url\)/,
  ],
  [
    'a Redis client for a dedupe store',
    () => (createReceiver as Loose)({ secret, dedupe: {} }),
    /dedupe must be a store, such as redisDedupe\(client\) or postgresDedupe\(pool\), memoryDedupe\(\) or false/,
  ],
  [
    'minutes for a tolerance',
    () => (createReceiver as Loose)({ secret, tolerance: '5m' }),
    /tolerance must be a number of seconds/,
  ],
  [
    'one handler for every event',
    () => (createReceiver as Loose)({ secret, on: () => 1 }),
    /on must be an object/,
  ],
  [
    'a handler that is not a function',
    () => (createReceiver as Loose)({ secret, on: { 'transaction.paid': 'ship' } }),
    /on\.transaction\.paid must be a function/,
  ],
  [
    'a secret that was not set',
    () => (createReceiver as Loose)({ secret: process.env.WEBHOOK_SECRET_OF_NOBODY }),
    /secret is missing\. Pass the endpoint's hmac_secret/,
  ],
  [
    'a seed for the sandbox in a string',
    () => (createSandbox as Loose)({ seed: '7' }),
    /seed must be an integer/,
  ],
  [
    'a fault that does not exist',
    () => (sandbox.faults.add as Loose)({ fault: 'timout' }),
    /fault must be .*'reset'/,
  ],
  [
    'an operation of a fault that does not exist',
    () => (sandbox.faults.add as Loose)({ operation: 'payment.create', fault: 'reset' }),
    /operation must be .*such as 'payments\.create'/,
  ],
  [
    'a clock that goes back',
    () => (sandbox.clock.advance as Loose)('-1h'),
    /'-1h' is not a duration: milliseconds, or a string such as '500ms'/,
  ],
  ['empty items', () => create({ items: [] }), /items must have at least one item/],
];

/**
 * Finds the problems in a message. A list has one problem per line, and any other message is one problem. The
 * outcome at the end does not count.
 */
const problemsIn = (message: string) =>
  message
    .replace(/ ?(?:Nothing was (?:sent|executed)[^.]*|The payment may exist)\..*$/, '')
    .split('\n- ')
    .slice(message.includes('\n- ') ? 1 : 0);

describe('a newcomer’s mistake', () => {
  test.each(mistakes)('is explained with the remedy: %s', async (_mistake, make, says) => {
    const failed = await Promise.resolve()
      .then(make)
      .then(
        (result) => new Error(`no error, but ${JSON.stringify(result)}`),
        (error: Error) => error,
      );
    expect(failed.message).toMatch(says);
    for (const problem of problemsIn(failed.message))
      expect(problem.match(/\S+/g)?.length, problem).toBeLessThanOrEqual(25);
  });

  const rules = [{ recipient: 'r-1', percentage: 10 }];
  const customer = { name: 'Ana', document: undefined };
  test.each<[string, object, string]>([
    ['splitRules', { splitRules: rules }, 'split'],
    ['split_rules', { split_rules: rules }, 'split'],
    ['receivers', { receivers: rules }, 'split'],
    ['pixOptions', { pixOptions: { expiration: 60 }, pix: undefined }, 'pix'],
    ['boleto_options', { boleto_options: {}, boleto: undefined }, 'boleto'],
    ['3ds', { '3ds': {} }, 'threeDSData'],
    ['applePay', { applePay: {} }, 'wallet'],
    ['dueDate', { paymentMethod: 'boleto', dueDate: '2030-01-01' }, 'boleto.expirationDate'],
    ['boleto.expiration', { boleto: { expiration: 3 } }, 'boleto.expirationDate'],
    ['pix.ttl', { pix: { ttl: 60 } }, 'pix.expiration'],
    ['card.numberOfInstallments', { card: { numberOfInstallments: 3 } }, 'card.installments'],
    ['card.qtdParcelas', { card: { qtdParcelas: 3 } }, 'card.installments'],
    ['parcelas', { ...openCard, parcelas: 3 }, 'card.installments'],
    ['numberOfInstallments', { ...openCard, numberOfInstallments: 3 }, 'card.installments'],
    ['installment', { ...openCard, installment: 3 }, 'card.installments'],
    ['pixExpiration', { pixExpiration: 60 }, 'pix.expiration'],
    ['pix.expires', { pix: { expires: 60 } }, 'pix.expiration'],
    ['boleto.expires', { boleto: { expires: '2030-01-01' } }, 'boleto.expirationDate'],
    ['card.parcela', { card: { parcela: 3 } }, 'card.installments'],
    ['customer.cpfCnpj', { customer: { ...customer, cpfCnpj: '1' } }, 'customer.document.number'],
    ['order_id', { order_id: 'o', externalId: undefined }, 'externalId'],
    ['client', { client: customer, customer: undefined }, 'customer'],
    [
      'customer.documentNumber',
      { customer: { ...customer, documentNumber: '1' } },
      'customer.document.number',
    ],
    ['customer.documentType', { customer: { ...customer, documentType: 'cpf' } }, 'customer.document.type'],
  ])('with the field name %s is explained by suggesting the documented name', async (name, order, field) => {
    await expect(create(order)).rejects.toThrow(`${name} is not in the API docs. Did you mean ${field}?`);
  });

  test('is not possible by detaching payments.create, because the detached method works', async () => {
    const { create: pay } = new PaymentPlatform(sandbox.clientOptions()).payments;
    expect(await pay(pix)).toMatchObject({ status: 'waiting_payment' });
    const { request } = new PaymentPlatform(sandbox.clientOptions());
    expect(await request({ method: 'GET', path: '/v1/certificates' })).toEqual({ data: [] });
  });

  test('is explained if baseUrl starts with https although the port speaks plain http', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    const client = new PaymentPlatform({ ...options, baseUrl: `https://127.0.0.1:${port}`, maxRetries: 0 });
    await expect(client.payments.create(pix)).rejects.toThrow(
      /ERR_SSL_WRONG_VERSION_NUMBER: the server may speak plain http, check the port of baseUrl/,
    );
    client.close();
    server.close();
  });

  test.each([
    ['node:http', {}],
    ['fetch', { fetch }],
  ])('is explained if the server speaks only HTTP/2 and the client uses %s', async (_engine, engine) => {
    const server = createHttp2Server().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    const client = new PaymentPlatform({
      ...options,
      ...engine,
      baseUrl: `http://127.0.0.1:${port}`,
      maxRetries: 0,
    });
    await expect(client.payments.create(pix)).rejects.toThrow(/It may expect https, or speak only HTTP\/2/);
    client.close();
    server.close();
  });

  test('is explained if Node ignores the environment’s proxy', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.example:3128');
    vi.stubEnv('NODE_USE_ENV_PROXY', undefined);
    const client = new PaymentPlatform({ ...options, baseUrl: 'https://127.0.0.1:9', maxRetries: 0 });
    await expect(client.payments.create(pix)).rejects.toThrow(
      /HTTPS_PROXY is set: Node uses it with NODE_USE_ENV_PROXY=1/,
    );
    client.close();
  });
});
