import { describe, expect, test } from 'vitest';
import { shapes } from '../../../src/contract/generated/shapes.js';
import { listSecretPaths } from '../../../src/contract/runtime-schema.js';
import { testCards } from '../../index.js';
import { call, form, keyNo, openCard, pay, pix, sandboxForTest } from '../support.js';

const pan = testCards.approved;
const masked = '************1111';

/** Returns a request's body as the journal keeps it. */
async function kept(body: unknown): Promise<unknown> {
  const sandbox = sandboxForTest();
  await pay(sandbox, body);
  return sandbox.journal.requests[0]?.body;
}

/** Returns a request's path as the journal keeps it. */
async function keptPath(path: string): Promise<string | undefined> {
  const sandbox = sandboxForTest();
  await call(sandbox, path);
  return sandbox.journal.requests[0]?.path;
}

/** Lists the names of the contract's secret fields, without the card number. */
const secrets = Object.values(shapes).flatMap(({ request }) =>
  (request === undefined ? [] : listSecretPaths(request)).map((path) =>
    path.slice(path.lastIndexOf('.') + 1),
  ),
);
// The path of a body that is secret as a whole is empty.
const names = [...new Set([...secrets, 'client_secret', 'clientSecret', 'access_token', 'token'])].filter(
  (name) => name !== 'number' && name !== '',
);

describe('maskSecrets', () => {
  test('hides every secret field of the API contract', () => {
    expect(names).toEqual(
      expect.arrayContaining(['cvv', 'cardTokenId', 'upsellToken', 'wallet', 'threeDSData', 'hmac_secret']),
    );
  });

  test.each(names)('hides the field %j at any depth and of any type', async (name) => {
    const secret = { [name]: 'canary' };
    const hidden = { [name]: '***' };
    expect(await kept({ ...secret, deep: { deeper: [secret, [secret]] } })).toEqual({
      ...hidden,
      deep: { deeper: [hidden, [hidden]] },
    });
    for (const value of [123, true, ['canary'], { inside: 'canary' }]) {
      expect(await kept({ [name]: value })).toEqual(hidden);
    }
    expect(await kept({ [name]: null })).toEqual({ [name]: null });
  });

  /** Puts a value inside the given number of objects. */
  const nested = (levels: number, inner: unknown) => {
    let deep = inner;
    for (let level = 0; level < levels; level++) deep = { deep };
    return deep;
  };

  test('hides a secret in the deepest body that the sandbox reads', async () => {
    expect(await kept(nested(127, { cvv: 'canary' }))).toEqual(nested(127, { cvv: '***' }));
  });

  test('hides the whole body if it is nested too deeply to be read', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, nested(128, { note: 'canary' }));
    expect(sandbox.journal.requests).toMatchObject([{ status: 400, body: undefined }]);
    expect(JSON.stringify(sandbox.journal.requests)).not.toContain('canary');
  });

  test('hides a card number except its last four digits', async () => {
    const { card } = (await kept(openCard(pan))) as { card: object };
    expect(card).toMatchObject({ number: masked, cvv: '***' });
    expect(await kept({ card: { number: '4111' } })).toEqual({ card: { number: '***' } });
    expect(await kept({ card: { number: { inside: pan } } })).toEqual({ card: { number: '***' } });
  });

  test('redacts the whole vault request', async () => {
    const sandbox = sandboxForTest();
    await call(sandbox, '/v1/vault/tokenize', { body: { number: pan, cvv: '123', any: 'thing' } });
    expect(sandbox.journal.requests[0]?.body).toEqual({ number: '***', cvv: '***', any: '***' });
  });

  test('hides secrets in forms and in the query', async () => {
    const sandbox = sandboxForTest();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'grant_type=client_credentials&client_secret=canary';
    await call(sandbox, '/oauth/token', { method: 'POST', body, headers });
    await call(sandbox, '/v1/submerchants', { body: form({ cvv: '123' }), key: keyNo(1) });
    expect(sandbox.journal.requests.map((request) => request.body)).toEqual([
      { grant_type: 'client_credentials', client_secret: '***' },
      { cvv: '***' },
    ]);
    expect(await keptPath('/v1/webhooks?access_token=canary&x=1&a')).toBe(
      '/v1/webhooks?access_token=***&x=1&a',
    );
    expect(await keptPath('/v1/webhooks?client%5Fsecret=canary&%zz=1')).toBe(
      '/v1/webhooks?client%5Fsecret=***&%zz=1',
    );
  });

  test('hides the upsell token in a response', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, openCard(pan));
    expect(sandbox.journal.requests[0]?.response).toMatchObject({ upsell: { token: '***' } });
  });
});

describe('maskSecrets with harmless values', () => {
  test('shows numbers that are not card numbers', async () => {
    const order = { ...pix(), metadata: { number: '12345678901234', note: 'cvv: 123' } };
    expect(await kept(order)).toEqual(order);
  });

  test('shows a file without its bytes', async () => {
    const sandbox = sandboxForTest();
    await call(sandbox, '/v1/submerchants', {
      body: form({ logo: new File(['bytes'], 'logo.png', { type: 'image/png' }) }),
      key: keyNo(1),
    });
    expect(sandbox.journal.requests[0]?.body).toEqual({
      logo: { filename: 'logo.png', contentType: 'image/png', size: 5, sha256: expect.any(String) },
    });
  });
});
