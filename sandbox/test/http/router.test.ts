import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import type { Handlers } from '../../http/handler.js';
import { call, openCard, pay, pix, sandboxForTest, unknownId } from '../support.js';

const readIssuePaths = async (reply: ReturnType<typeof call>) => {
  const { status, body } = await reply;
  expect(status).toBe(400);
  return body.error?.issues.map(({ path }) => path);
};

describe('the credentials of a request to the sandbox', () => {
  test.each([
    ['a wrong secret', { 'client-secret': 'wrong' }],
    ['a wrong id', { 'client-id': 'wrong' }],
  ])('are rejected with a 401 if they have %s', async (_, headers) => {
    const sandbox = sandboxForTest();
    const reply = await pay(sandbox, pix(), undefined, { headers });
    expect(reply.status).toBe(401);
    expect(reply.body.error?.code).toBe('unauthorized');
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test.each(['client-id', 'client-secret'])(
    'are rejected with a 401 in every operation if %s is missing',
    async (name) => {
      const sandbox = sandboxForTest();
      const { clientId, clientSecret, baseUrl } = sandbox.clientOptions();
      const headers = new Headers({ 'client-id': clientId, 'client-secret': clientSecret });
      headers.delete(name);
      for (const { method, path } of operations.filter((operation) => !('public' in operation))) {
        expect((await sandbox.fetch(baseUrl + path, { method, headers })).status).toBe(401);
      }
    },
  );

  test('can be chosen with the sandbox’s options clientId and clientSecret', async () => {
    const sandbox = sandboxForTest({ clientId: 'me', clientSecret: 'mine' });
    expect(sandbox.clientOptions()).toMatchObject({ clientId: 'me', clientSecret: 'mine' });
    expect((await call(sandbox, '/v1/webhooks')).status).toBe(200);
    expect((await call(sandbox, '/v1/webhooks', { headers: { 'client-secret': 'other' } })).status).toBe(401);
  });
});

describe('the path of a request to the sandbox', () => {
  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/'],
    ['DELETE', '/v1/payments'],
  ])('returns a 404 if no operation has it, even without credentials: %s %s', async (method, path) => {
    const sandbox = sandboxForTest();
    expect((await call(sandbox, path, { method })).status).toBe(404);
    expect((await sandbox.fetch(`https://anywhere.example${path}`, { method })).status).toBe(404);
  });

  test('returns the same headers for a HEAD as for a GET, without a body', async () => {
    const reply = await call(sandboxForTest(), '/v1/webhooks', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await call(sandboxForTest(), '/v1/payments', { method: 'HEAD' })).status).toBe(404);
  });

  test('selects the operation even if the URL has a different origin', async () => {
    const sandbox = sandboxForTest();
    const { clientId, clientSecret } = sandbox.clientOptions();
    const response = await sandbox.fetch(new URL('http://other.example/v1/webhooks'), {
      headers: { 'client-id': clientId, 'client-secret': clientSecret },
    });
    expect(response.status).toBe(200);
  });
});

test('every response has a unique request id, even a 404', async () => {
  const sandbox = sandboxForTest();
  const first = (await call(sandbox, '/v1/webhooks')).headers.get('x-request-id');
  const second = (await call(sandbox, '/nowhere')).headers.get('x-request-id');
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});

test('a contract operation without a handler does not compile', () => {
  const handler = { run: () => new Response() };
  // @ts-expect-error all other handlers are missing
  const incomplete: Handlers = { 'payments.create': handler };
  expect(Object.keys(incomplete)).toHaveLength(1);
});

test.each(operations)('the operation $id has its own handler', async ({ id, method, path }) => {
  const sandbox = sandboxForTest();
  const reply = await call(sandbox, path.replaceAll(/\{\w+\}/g, unknownId), { method });
  expect(reply.body.error?.message ?? '').not.toContain('The sandbox has no');
  expect(reply.status).not.toBe(500);
  expect(sandbox.journal.requests.map(({ operation }) => operation)).toEqual([id]);
});

describe('a path parameter of the wrong kind', () => {
  test.each([
    ['PATCH', '/v1/submerchants/7'],
    ['PUT', '/v1/webhooks/unknown'],
    ['POST', '/v1/certificates/x/revoke'],
    ['GET', '/v2/submerchants/onboarding/x/status'],
    ['GET', '/v1/submerchants/withdrawals/1.5'],
    ['GET', '/v1/submerchants/withdrawals/-1'],
    ['GET', `/v1/submerchants/withdrawals/${'9'.repeat(40)}`],
    ['GET', `/v1/submerchants/withdrawals/${unknownId}`],
  ])('returns a 404: %s %s', async (method, path) => {
    const reply = await call(sandboxForTest(), path, { method });
    expect(reply.status).toBe(404);
    expect(reply.body.error?.message).toContain('No record has this id');
  });
});

describe('the body of a request to the sandbox', () => {
  test.each([
    ['invalid JSON', '{"amount":', undefined],
    ['empty', '', undefined],
    ['sent as text/plain', JSON.stringify(pix()), 'text/plain'],
    ['sent with a content type that only begins like JSON', JSON.stringify(pix()), 'application/jsonp'],
  ])('is rejected with a 400 if it is %s', async (_, body, type) => {
    const sandbox = sandboxForTest();
    const headers = type === undefined ? {} : { 'content-type': type };
    const reply = await call(sandbox, '/v1/payments', { method: 'POST', body, headers });
    expect(reply.status).toBe(400);
    expect(reply.body.error?.code).toBe('invalid_body');
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test('is rejected with a 400 if it is invalid UTF-8', async () => {
    const sandbox = sandboxForTest();
    const { clientId, clientSecret, baseUrl } = sandbox.clientOptions();
    const response = await sandbox.fetch(`${baseUrl}/v1/payments`, {
      method: 'POST',
      headers: { 'client-id': clientId, 'client-secret': clientSecret, 'content-type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('UTF-8') } });
  });

  test('is read as JSON if its content type has a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await pay(sandboxForTest(), pix(), undefined, { headers })).status).toBe(201);
  });

  test('is rejected with one 400 that lists every problem, including an invalid key and an unknown card token', async () => {
    const body = {
      amount: 99,
      paymentMethod: 'credit_card',
      items: [],
      customer: { name: 7 },
      boleto: { expirationDate: 'soon' },
      card: { cardTokenId: 'no-such-token' },
    };
    const paths = await readIssuePaths(pay(sandboxForTest(), body, 'k'.repeat(256)));
    expect(paths).toEqual(
      expect.arrayContaining([
        'x-idempotency-key',
        'amount',
        'items',
        'customer.name',
        'customer',
        'boleto',
        'card.cardTokenId',
        'boleto.expirationDate',
      ]),
    );
  });

  describe('with mistakes causes a 400 whose message', () => {
    const readError = async (reply: ReturnType<typeof call>) => {
      const { error } = (await reply).body;
      return { message: error?.message ?? '', issues: error?.issues ?? [] };
    };

    test('names the problems', async () => {
      const { message } = await readError(pay(sandboxForTest(), pix({ amount: 99, boleto: {} })));
      expect(message).toBe(
        "amount must be at least 100 cents; boleto is only allowed with paymentMethod 'boleto'.",
      );
      const whole = await readError(pay(sandboxForTest(), []));
      expect(whole.message).toBe('must be an object, not an array.');
    });

    test('names at most five problems, and counts the others', async () => {
      const body = openCard('42', { amount: 99, items: [], card: { number: '42' }, boleto: {} });
      const { message, issues } = await readError(pay(sandboxForTest(), body));
      expect(issues).toHaveLength(7);
      expect(message).toMatch(
        /^amount .+; items .+; boleto .+; card\.cvv .+; card\.holderName .+; and 2 more\.$/,
      );
      expect(message).not.toContain('expirationMonth');
    });

    test('stays short even for many problems', async () => {
      const { message, issues } = await readError(
        pay(sandboxForTest({ features: { split: true } }), {
          ...pix({ card: { number: '1', upsellToken: 'x' }, wallet: {}, threeDSData: {} }),
          subMerchant: {},
          split: [{}, {}, {}],
        }),
      );
      expect(issues.length).toBeGreaterThan(5);
      expect(message.length).toBeLessThan(330);
      expect(message).toMatch(/; and \d+ more\.$/);
    });

    test('names the problems of a token request, without its secret', async () => {
      const body = { grant_type: 'password', client_id: 7, client_secret: 'canary' };
      const { message } = await readError(call(sandboxForTest(), '/oauth/token', { body }));
      expect(message).toMatch(/^grant_type .+; client_id .+\.$/);
      expect(message).not.toContain('canary');
    });
  });

  test.each([[[]], [null], [7], ['text']])(
    'is rejected if it is %j, which is not an object',
    async (body) => {
      expect(await readIssuePaths(pay(sandboxForTest(), JSON.stringify(body)))).toContain('');
    },
  );

  test('is rejected with a 400 whose issues have dotted paths', async () => {
    const items = [{ title: 'Book', quantity: 1, unitPrice: 0.5 }];
    expect(await readIssuePaths(pay(sandboxForTest(), pix({ items })))).toEqual(['items.0.unitPrice']);
  });

  test.each([
    [99, 400],
    [100, 201],
    [15_000_000, 201],
    [15_000_001, 400],
  ])('with the amount %i gets the status %i', async (amount, status) => {
    expect((await pay(sandboxForTest(), pix({ amount }))).status).toBe(status);
  });

  test('must contain a customer with raw card data, and must not contain one with a card token', async () => {
    const { customer: _, ...without } = openCard();
    expect(await readIssuePaths(pay(sandboxForTest(), without))).toEqual(['customer']);
    const token = { ...openCard(), card: { cardTokenId: '5a9db0c5-0000-4000-8000-000000000001' } };
    expect(await readIssuePaths(pay(sandboxForTest(), token))).toEqual(['customer']);
  });

  test('is rejected with a 400 if its JSON is nested too deeply', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const reply = await pay(sandboxForTest(), `{"metadata":${deep}}`, 'key');
    expect(reply.status).toBe(400);
    expect(reply.body.error?.message).toContain('deeper');
  });
});

describe('the header x-idempotency-key', () => {
  test('can have at most 255 characters', async () => {
    const sandbox = sandboxForTest();
    expect((await pay(sandbox, pix(), 'k'.repeat(255))).status).toBe(201);
    expect(await readIssuePaths(pay(sandbox, pix(), 'k'.repeat(256)))).toEqual(['x-idempotency-key']);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('must not be empty', async () => {
    const sandbox = sandboxForTest();
    expect(await readIssuePaths(pay(sandbox, pix(), ''))).toEqual(['x-idempotency-key']);
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test('is ignored by an operation without idempotency keys', async () => {
    expect((await call(sandboxForTest(), '/v1/webhooks', { key: '' })).status).toBe(200);
  });
});
