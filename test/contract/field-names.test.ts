import { type FieldNames, PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { createSandbox, testCards } from 'payment-platform/sandbox';
import { sign } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { pathToWire } from '../../sandbox/http/platform-names.js';
import { shapes } from '../../src/contract/generated/shapes.js';
import { assumptions, listNamedShapes } from '../../src/contract/overrides.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { readFieldNames, renameFields } from '../../src/contract/wire-names.js';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { openCard, paid, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

const configure = (fieldNames: FieldNames) => () =>
  new PaymentPlatform({ baseUrl: 'https://platform.example', ...credentials, fieldNames });

describe('renaming a field to the documented name of another field in the same object', () => {
  /** Pairs each assumed name with each documented name of the same object. */
  const listUsedNames = ({ fields }: RuntimeSchema): [key: string, name: string][] =>
    Object.values(fields).flatMap((field) => [
      ...Object.entries(fields).flatMap(([name, other]): [string, string][] =>
        field.key !== undefined && other.key === undefined ? [[field.key, name]] : [],
      ),
      ...listUsedNames(field),
    ]);
  const usedNames = listNamedShapes().flatMap(({ shape }) => listUsedNames(shape));

  test.each(usedNames)('is rejected: %s to %s', (key, name) => {
    expect(configure({ [key]: name })).toThrow(`fieldNames.${key} cannot be ${name}`);
  });

  test('is tested with names that would change a payment’s owner or hide a boleto', () => {
    expect(usedNames).toContainEqual(['payment.split', 'subMerchant']);
    expect(usedNames).toContainEqual(['payment.refusalReason', 'boleto']);
  });
});

test.each([
  [{ 'payment.clientIp': 'a..b' }],
  [{ 'payment.clientIp': '.a' }],
  [{ 'payment.clientIp': '__proto__.a' }],
  [{ 'payment.clientIp': 'a.b.c.d.e.f.g.h.i' }],
  [{ 'payment.clientIp': { answer: 'a' } }],
  [{ 'payment.clientIp': { request: 7 } }],
  [{ 'payment.clientIp': ['a'] }],
])('fieldNames rejects the name %j', (fieldNames) => {
  expect(configure(fieldNames as never)).toThrow(/fieldNames.payment.clientIp must be a plain name/);
});

test.each([
  [{ 'payment.clientIp': 'amount.x' }],
  [{ 'payment.clientIp': 'customer.name' }],
  [{ 'payment.clientIp': 'items.x' }],
  [{ 'payment.clientIp': 'metadata.z' }],
  [{ 'payment.clientIp': 'x', 'payment.metadata': 'x.y' }],
  [{ 'payment.clientIp': 'subMerchant.document.number' }],
  [{ 'payment.subMerchant.document.number': 'type.x' }],
  [{ 'webhooks.webhook_url': 'events.url' }],
])('fieldNames rejects %j, whose path collides with another field of the request', (fieldNames) => {
  expect(configure(fieldNames as never)).toThrow(/another field of the request has that name/);
});

test('fieldNames accepts a path for a response field, and rejects the name idempotencyKey', () => {
  expect(configure({ 'payment.refusalReason': 'card.refusal' })).not.toThrow();
  expect(configure({ 'payment.subMerchant.document': 'data.tax' })).not.toThrow();
  expect(configure({ 'payment.clientIp': 'idempotencyKey' })).toThrow(/must be a plain name/);
});

test('fieldNames rejects the same name for two fields of one object', () => {
  expect(configure({ 'payment.clientIp': 'x', 'payment.metadata': 'x' })).toThrow(/cannot be x/);
  expect(configure({ 'payment.clientIp': 'metadata' })).toThrow(/payment.clientIp cannot be metadata/);
  expect(configure({ 'payment.clientIp': 'metadata', 'payment.metadata': 'clientIp' })).not.toThrow();
  const inner = { 'payment.subMerchant.document.number': 'id', 'payment.subMerchant.document.type': 'id' };
  expect(configure(inner)).toThrow(/cannot be id/);
  expect(Object.keys(assumptions)).toContain('payment.subMerchant.document.type');
});

describe('a client’s wire names, which fieldNames configures', () => {
  const request = shapes['payments.create'].request;
  const names = (fieldNames: unknown) => readFieldNames(fieldNames).names;

  test('list every configured name, for requests and responses', () => {
    const input = { 'payment.clientIp': 'ip', 'payment.split': { request: 'parts', response: 'shares' } };
    expect([...names(input).overridden].sort()).toEqual(['ip', 'parts', 'shares']);
    expect(names({ 'payment.split': { request: 'parts', response: undefined } }).overridden).toEqual([
      'parts',
    ]);
  });

  test('rename fields only in schemas that contain a configured field', () => {
    const renames = (input: object, shape = request) => names(input).findRenamings(shape) !== undefined;
    expect(renames({ 'payment.clientIp': 'ip' })).toBe(true);
    expect(renames({ 'payment.clientIp': 'ip' }, shapes['webhooks.create'].request)).toBe(false);
    expect(names({ 'payment.clientIp': 'ip' }).findRenamings(undefined)).toBeUndefined();
    expect(renames({})).toBe(false);
  });

  test('include grant_type in a token request and the header of the request id', () => {
    const fieldNames = { 'oauth.grant_type': 'grantType', 'response.requestId': 'X-Trace' };
    expect(names(fieldNames).grantType).toBe('grantType');
    expect(names(fieldNames).requestIdHeader).toBe('x-trace');
    expect(names(undefined).grantType).toBe('grant_type');
  });

  test('translate the SDK’s path of a field into the path on the wire', () => {
    const input = {
      'payment.clientIp': 'payer.ip',
      'payment.subMerchant.document': 'tax',
      'payment.subMerchant.document.number': 'id',
    };
    const wire = (path: string) => pathToWire(names(input), request, path);
    expect(wire('clientIp')).toBe('payer.ip');
    expect(wire('subMerchant.document.number')).toBe('subMerchant.tax.id');
    expect(wire('subMerchant.document.type')).toBe('subMerchant.tax.type');
    expect(wire('items.0.title')).toBe('items.0.title');
  });

  describe('in a request body', () => {
    const input = {
      'payment.clientIp': 'payer.address.ip',
      'payment.metadata': 'extra',
      'payment.subMerchant.document': 'tax.document',
      'payment.subMerchant.document.number': 'id',
    };
    const toWire = (body: object, isExact?: boolean) =>
      renameFields(body, names(input).findRenamings(request)?.toWire, isExact);

    test('replace the caller’s own field extra if metadata is renamed to extra', () => {
      expect(toWire({ extra: 'old', metadata: { extra: 1 } })).toEqual({ extra: { extra: 1 } });
    });

    test('keep the caller’s own field extra if metadata is absent and names are not exact', () => {
      expect(toWire({ extra: 'old', amount: 1 })).toEqual({ extra: 'old', amount: 1 });
      expect(toWire({ extra: 'old', amount: 1 }, true)).toEqual({ amount: 1 });
    });

    test('add a field whose new name is a path to the objects on that path', () => {
      const body = { payer: { address: { street: 'Rua A' }, name: 'Ana' }, clientIp: '::1' };
      expect(toWire(body)).toEqual({ payer: { address: { street: 'Rua A', ip: '::1' }, name: 'Ana' } });
      expect(body.payer.address).toEqual({ street: 'Rua A' });
    });

    test('rename the fields of an object that itself moves to a path', () => {
      expect(toWire({ subMerchant: { document: { number: '1', type: 'CPF' } } })).toEqual({
        subMerchant: { tax: { document: { id: '1', type: 'CPF' } } },
      });
    });

    test('add nothing to a body that lacks the renamed field', () => {
      expect(toWire({ amount: 1 })).toEqual({ amount: 1 });
      expect(toWire({ subMerchant: { name: 'Ana' } })).toEqual({ subMerchant: { name: 'Ana' } });
    });
  });

  test('fall back to the defaults and report an issue if the option fieldNames cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { names: used, issues } = readFieldNames(proxy);
    expect(used.isIdentity).toBe(true);
    expect(issues).toHaveLength(1);
  });
});

onBothEngines((engine) => {
  test('fieldNames can give a path instead of a name, in requests and in responses', async () => {
    const fields = { data: { owner: { internalId: 'x' }, kept: 1 } };
    const server = opens(
      await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify({ ...paid, ...fields })))),
    );
    const fieldNames = {
      'payment.subMerchant': 'data.owner',
      'payment.clientIp': 'payer.ip',
      'payment.statementDescriptor': 'statement.text',
    } as const;
    const platform = opens(clientOn(engine, server.url, { fieldNames }));
    const payment = await platform.payments.create({ ...pix, clientIp: '::1', statementDescriptor: 'LOJA' });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      ...pix,
      payer: { ip: '::1' },
      statement: { text: 'LOJA' },
    });
    expect(payment).toMatchObject({ ...fields, subMerchant: { internalId: 'x' } });
  });

  test('fieldNames can give a path for the access token in the token response', async () => {
    const server = opens(
      await rawServer(({ socket, request }) =>
        socket.end(
          formatResponse(
            request.path === '/oauth/token'
              ? '{"data":{"access_token":"secret-token","ttl":60}}'
              : JSON.stringify(paid),
          ),
        ),
      ),
    );
    const fieldNames = { 'oauth.access_token': 'data.access_token', 'oauth.expires_in': 'data.ttl' };
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', fieldNames }));
    await platform.payments.create(pix);
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer secret-token');
  });

  test('fieldNames can give a field different names in requests, responses and notifications', async () => {
    const split = { netAmount: 1 };
    const server = opens(
      await rawServer(({ socket }) =>
        socket.end(formatResponse(JSON.stringify({ ...paid, result: { division: split } }))),
      ),
    );
    const fieldNames = {
      'payment.split': { request: 'split_rules', response: 'result.division', notification: 'shares' },
    };
    const platform = opens(clientOn(engine, server.url, { fieldNames }));
    const payment = await platform.payments.create({ ...pix, split: [{ a: 1 }] });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ split_rules: [{ a: 1 }] });
    expect(payment.split).toEqual(split);
    const body = JSON.stringify({ event: 'transaction.paid', shares: split });
    const secret = 'a-secret-of-16-characters';
    expect(platform.webhooks.verify({ body, headers: sign({ body, secret }) }, secret)).toMatchObject({
      split,
    });
  });

  test('the sandbox reads and writes the paths that fieldNames gives to fields', async () => {
    const fieldNames = {
      'payment.clientIp': 'payer.address.ip',
      'payment.refusalReason': { response: 'data.why' },
    } as const;
    const sandbox = opens(createSandbox({ fieldNames }));
    const platform = opens(clientOn(engine, 'http://sandbox', sandbox.clientOptions()));
    const declined = { ...openCard, card: { ...openCard.card, number: testCards.refused }, clientIp: '::1' };
    const payment = await platform.payments.create(declined);
    expect(sandbox.journal.requests[0]?.body).toMatchObject({ payer: { address: { ip: '::1' } } });
    expect(payment.refusalReason).toMatchObject({ code: expect.any(String) });
  });

  test('fieldNames renames subMerchant only in responses, because its name in requests is documented', async () => {
    const server = opens(
      await rawServer(({ socket }) =>
        socket.end(formatResponse(JSON.stringify({ ...paid, ownerAccount: { internalId: 'x' } }))),
      ),
    );
    const platform = opens(
      clientOn(engine, server.url, {
        fieldNames: { 'payment.subMerchant': 'ownerAccount', 'payment.boleto': 'slip' },
      }),
    );
    const subMerchant = { document: { number: '12345678909', type: 'cpf' } };
    const payment = await platform.payments.create({ ...pix, subMerchant });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ subMerchant });
    expect(payment).toMatchObject({ subMerchant: { internalId: 'x' } });
    expect(payment).not.toHaveProperty('ownerAccount');
  });

  test('fieldNames renames boleto only in requests, because its name in responses is documented', async () => {
    const server = opens(
      await rawServer(({ socket }) =>
        socket.end(formatResponse(JSON.stringify({ ...paid, boleto: { digitableLine: '1' } }))),
      ),
    );
    const platform = opens(clientOn(engine, server.url, { fieldNames: { 'payment.boleto': 'slip' } }));
    const payment = await platform.payments.create({
      ...pix,
      paymentMethod: 'boleto',
      boleto: { expirationDate: '2030-01-01' },
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      slip: { expirationDate: '2030-01-01' },
    });
    expect(payment).toMatchObject({ boleto: { digitableLine: '1' } });
  });

  describe('a field that its paymentMethod does not allow', () => {
    const { card } = openCard;
    const bodies: [string, object, string][] = [
      ['a Pix with a card', { ...pix, card }, 'card'],
      ['a boleto with a card', { ...pix, paymentMethod: 'boleto', card }, 'card'],
      ['a Pix with a vault token', { ...pix, card: { cardTokenId: 'x' } }, 'card'],
      ['a Pix with a card in extraBody', { ...pix }, 'card'],
      ['a Pix with 3DS data', { ...pix, threeDSData: { cavv: 'x' } }, 'threeDSData'],
      ['a boleto with 3DS data', { ...pix, paymentMethod: 'boleto', threeDSData: {} }, 'threeDSData'],
      ['a Pix with a wallet', { ...pix, wallet: { token: 'x' } }, 'wallet'],
      ['a card with boleto options', { ...openCard, boleto: {} }, 'boleto'],
      ['a Pix with boleto options', { ...pix, boleto: {} }, 'boleto'],
      ['an open card without a number', { ...openCard, card: { ...card, number: ' ' } }, 'card.number'],
      ['an open card without a CVV', { ...openCard, card: { ...card, cvv: '' } }, 'card.cvv'],
    ];
    test.each(bodies)('is rejected with its path, and nothing is sent: %s', async (name, body, path) => {
      const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
      const platform = opens(clientOn(engine, server.url));
      const options = name.includes('extraBody') ? { extraBody: { card } } : {};
      const error = await catchError<PaymentPlatformError>(
        platform.payments.create(body as typeof pix, options),
      );
      expect(error).toMatchObject({
        name: 'ValidationError',
        attempts: 0,
        issues: expect.arrayContaining([expect.objectContaining({ path })]),
      });
      expect(error.message).not.toContain(card.number);
      expect(server.requests).toEqual([]);
    });
  });
});

test('the sandbox sends no undocumented field in a journey through all operations', async () => {
  const sandbox = opens(createSandbox({ now: '2026-01-01T00:00:00Z' }));
  const drifts: unknown[] = [];
  const platform = new PaymentPlatform({
    ...sandbox.clientOptions(),
    hooks: { onDrift: (event) => drifts.push(event) },
  });
  const pay = () => platform.payments.create({ ...pix }, { idempotencyKey: null });
  const ends = ['pay', 'refuse', 'cancel', 'expire'] as const;
  for (const end of ends) {
    const options = { idempotencyKey: `order-${end}` };
    const { id } = await platform.payments.create(pix, options);
    sandbox.control.payments[end](id);
    await platform.payments.create(pix, options);
  }
  for (const end of ['refund', 'chargeback'] as const) {
    const options = { idempotencyKey: `order-${end}` };
    const { id } = await platform.payments.create(pix, options);
    sandbox.control.payments.pay(id);
    sandbox.control.payments[end](id);
    await platform.payments.create(pix, options);
  }
  await pay();
  await platform.payments.create(openCard);
  const { internalId } = await platform.submerchants.create<{ internalId: string }>({
    documentNumber: '12345678909',
  });
  const { withdraw_id } = await platform.submerchants.withdrawals.create<{ withdraw_id: number }>({
    internalId,
    amount: 100,
  });
  sandbox.control.withdrawals.complete(withdraw_id);
  await platform.submerchants.withdrawals.retrieve(withdraw_id);
  await platform.domains.register({ domainName: 'shop.example' });
  await platform.domains.list();
  await platform.certificates.list();
  await platform.webhooks.create({ webhook_url: 'https://shop.example/hooks', events: [] });
  await platform.webhooks.list();
  expect(drifts).toEqual([]);
});
