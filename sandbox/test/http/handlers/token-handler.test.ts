import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Sandbox, SandboxMerchant } from '../../../index.js';
import { call, pay, pix, sandboxForTest, startOfYear } from '../../support.js';

interface TokenRequest {
  body?: string;
  type?: string;
  authorization?: string;
}

interface TokenReply {
  access_token: string;
  token_type: string;
  expires_in: number;
  error: { code: string };
}

async function requestToken(
  sandbox: Sandbox,
  { body = '', type = 'application/json', authorization }: TokenRequest,
) {
  const headers = new Headers({ 'content-type': type });
  if (authorization !== undefined) headers.set('authorization', authorization);
  const response = await sandbox.fetch('https://any.example/oauth/token', { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as TokenReply };
}

const grant = { grant_type: 'client_credentials' };

const toGrantFields = (target: Pick<Sandbox, 'clientOptions'>) => {
  const { clientId, clientSecret } = target.clientOptions();
  return { client_id: clientId, client_secret: clientSecret };
};

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

const form = 'application/x-www-form-urlencoded';

async function tokenFor(sandbox: Sandbox, target: Sandbox | SandboxMerchant = sandbox): Promise<string> {
  const reply = await requestToken(sandbox, { body: JSON.stringify({ ...grant, ...toGrantFields(target) }) });
  return reply.body.access_token;
}

async function withToken(sandbox: Sandbox, token: string, headers: Record<string, string> = {}) {
  const response = await sandbox.fetch('https://any.example/v1/webhooks', {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return response.status;
}

describe('POST /oauth/token', () => {
  test('responds in the format of RFC 6749', async () => {
    const sandbox = sandboxForTest();
    const reply = await requestToken(sandbox, {
      body: JSON.stringify({ ...grant, ...toGrantFields(sandbox) }),
    });
    expect(reply).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 },
    });
    expect(await withToken(sandbox, reply.body.access_token)).toBe(200);
  });

  test('accepts the credentials in a JSON or form body, or in a Basic header', async () => {
    const sandbox = sandboxForTest({ clientId: 'a b+c:d', clientSecret: 'ç%&=:?' });
    const both = { ...grant, ...toGrantFields(sandbox) };
    const authorization = basic('a b+c:d', 'ç%&=:?');
    for (const request of [
      { body: JSON.stringify(both) },
      { body: new URLSearchParams(both).toString(), type: form },
      { body: new URLSearchParams(both).toString(), type: `${form}; charset=utf-8` },
      { body: JSON.stringify(grant), authorization },
      { body: 'grant_type=client_credentials', type: form, authorization },
    ]) {
      expect((await requestToken(sandbox, request)).status).toBe(200);
    }
    const plus = `Basic ${Buffer.from(`a+b%2Bc%3Ad:${encodeURIComponent('ç%&=:?')}`).toString('base64')}`;
    expect((await requestToken(sandbox, { body: JSON.stringify(grant), authorization: plus })).status).toBe(
      200,
    );
  });

  test('accepts a body with only the two documented fields, or Basic credentials without a body', async () => {
    const sandbox = sandboxForTest({ clientId: 'me', clientSecret: 'mine' });
    const both = toGrantFields(sandbox);
    const authorization = basic('me', 'mine');
    for (const request of [
      { body: JSON.stringify(both) },
      { body: new URLSearchParams(both).toString(), type: form },
      { body: '{}', authorization },
      { authorization },
      { type: form, authorization },
      { type: 'text/plain', authorization },
    ])
      expect((await requestToken(sandbox, request)).status).toBe(200);
    expect((await requestToken(sandbox, { authorization: basic('me', 'wrong') })).status).toBe(401);
  });

  test('rejects a request without a grant_type if oauth.grantType is required', async () => {
    const sandbox = sandboxForTest({ oauth: { grantType: 'required' } });
    const reply = await requestToken(sandbox, { body: JSON.stringify(toGrantFields(sandbox)) });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'unsupported_grant_type']);
    const granted = { ...grant, ...toGrantFields(sandbox) };
    expect((await requestToken(sandbox, { body: JSON.stringify(granted) })).status).toBe(200);
  });

  describe.each([
    'a+b',
    '50%',
    '%41b',
    'a%2Bb',
    'x&y=z',
    'plus+%25',
    'a=b?c',
    '+',
    '%',
    '%%zz',
    "!#$'()*,/;@[]^_`{|}~\\",
  ])('Basic credentials with %j as the id or the secret', (text) => {
    const request = { body: JSON.stringify(grant) };
    const raw = (id: string, secret: string) => `Basic ${btoa(`${id}:${secret}`)}`;
    const asForm = (value: string) => new URLSearchParams([['', value]]).toString().slice(1);
    const encoded = (id: string, secret: string) => raw(asForm(id), asForm(secret));

    test.each([
      ['unencoded', raw],
      ['form-encoded', encoded],
      ['percent-encoded', basic],
    ])('are accepted if they are %s, and rejected if the secret is wrong', async (_, write) => {
      for (const [clientId, clientSecret] of [
        [text, 'mine'],
        ['me', text],
        ['me', `${text}:${text}`],
      ] as const) {
        const sandbox = sandboxForTest({ clientId, clientSecret });
        const right = await requestToken(sandbox, {
          ...request,
          authorization: write(clientId, clientSecret),
        });
        expect(right.status).toBe(200);
        const wrong = await requestToken(sandbox, {
          ...request,
          authorization: write(clientId, `${clientSecret}x`),
        });
        expect(wrong.status).toBe(401);
      }
    });
  });

  test.each([
    ['unencoded', 'me::a b:', 'me::a b'],
    ['form-encoded', 'me:%3Aa+b%3A', 'me:%3Aa+b'],
    ['percent-encoded', 'me:%3Aa%20b%3A', 'me:%3Aa%20b'],
  ])(
    'accepts %s Basic credentials with colons in the secret, and rejects a wrong secret',
    async (_, right, wrong) => {
      const sandbox = sandboxForTest({ clientId: 'me', clientSecret: ':a b:' });
      const statusFor = async (credentials: string) =>
        (
          await requestToken(sandbox, {
            body: JSON.stringify(grant),
            authorization: `Basic ${btoa(credentials)}`,
          })
        ).status;
      expect(await statusFor(right)).toBe(200);
      expect(await statusFor(wrong)).toBe(401);
    },
  );

  test('ignores other fields of the body', async () => {
    const sandbox = sandboxForTest();
    const more = { scope: 'payments.write payments.read', audience: 'https://api.example/' };
    const both = { ...grant, ...toGrantFields(sandbox), ...more };
    const { client_id, client_secret } = toGrantFields(sandbox);
    for (const request of [
      { body: JSON.stringify(both) },
      { body: new URLSearchParams(both).toString(), type: form },
      { body: JSON.stringify({ ...grant, ...more }), authorization: basic(client_id, client_secret) },
      { body: JSON.stringify({ ...both, scope: ['a', 'b'], extra: { deep: [1] } }) },
    ]) {
      expect((await requestToken(sandbox, request)).status).toBe(200);
    }
  });

  test.each([
    ['a wrong secret', { body: JSON.stringify({ ...grant, client_id: 'me', client_secret: 'wrong' }) }],
    ['a wrong id', { body: JSON.stringify({ ...grant, client_id: 'you', client_secret: 'mine' }) }],
    ['a missing secret', { body: JSON.stringify({ ...grant, client_id: 'me' }) }],
    ['no credentials', { body: JSON.stringify(grant) }],
    ['a wrong secret in Basic', { body: JSON.stringify(grant), authorization: basic('me', 'wrong') }],
    ['Basic without a colon', { body: JSON.stringify(grant), authorization: `Basic ${btoa('me')}` }],
    ['Basic that cannot be decoded', { body: JSON.stringify(grant), authorization: `Basic ${btoa('me:%')}` }],
    ['an unsupported authorization scheme', { body: JSON.stringify(grant), authorization: 'Bearer me:mine' }],
  ])('returns a 401 for %s', async (_, request) => {
    const sandbox = sandboxForTest({ clientId: 'me', clientSecret: 'mine' });
    const reply = await requestToken(sandbox, request);
    expect([reply.status, reply.body.error.code]).toEqual([401, 'invalid_client']);
    expect(sandbox.control.oauth.tokens).toEqual([]);
  });

  test.each([
    ['an unsupported grant type', { body: '{"grant_type":"password"}' }, 'unsupported_grant_type'],
    ['an empty grant type', { body: '{"grant_type":""}' }, 'unsupported_grant_type'],
    ['no body', {}, 'invalid_request'],
    ['a list', { body: '[]' }, 'invalid_request'],
    ['invalid JSON', { body: '{' }, 'invalid_request'],
    ['an unknown content type', { body: '{}', type: 'text/plain' }, 'invalid_request'],
    [
      'a repeated parameter',
      { body: 'grant_type=client_credentials&grant_type=x', type: form },
      'invalid_request',
    ],
    [
      'credentials in both the header and the body',
      {
        body: JSON.stringify({ ...grant, client_id: 'me', client_secret: 'mine' }),
        authorization: basic('me', 'mine'),
      },
      'invalid_request',
    ],
  ])('returns a 400 for %s', async (_, request, code) => {
    const reply = await requestToken(sandboxForTest({ clientId: 'me', clientSecret: 'mine' }), request);
    expect([reply.status, reply.body.error.code]).toEqual([400, code]);
  });
});

describe('an access token', () => {
  test('expires on the sandbox’s clock, to the second', async () => {
    const sandbox = sandboxForTest();
    const token = await tokenFor(sandbox);
    await sandbox.clock.advance(3_600_000 - 1);
    expect(await withToken(sandbox, token)).toBe(200);
    await sandbox.clock.advance(1);
    expect(await withToken(sandbox, token)).toBe(401);
    expect(await withToken(sandbox, await tokenFor(sandbox))).toBe(200);
  });

  test('is valid for as long as oauth.expiresIn says', async () => {
    const sandbox = sandboxForTest({ oauth: { expiresIn: 60 } });
    const reply = await requestToken(sandbox, {
      body: JSON.stringify({ ...grant, ...toGrantFields(sandbox) }),
    });
    expect(reply.body.expires_in).toBe(60);
    await sandbox.clock.advance('1m');
    expect(await withToken(sandbox, reply.body.access_token)).toBe(401);
  });

  test('is rejected if it was never issued', async () => {
    expect(await withToken(sandboxForTest(), 'invented')).toBe(401);
  });

  test('is rejected if the request’s credential headers belong to a different merchant', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const token = await tokenFor(sandbox);
    const toCredentialHeaders = (target: Pick<Sandbox, 'clientOptions'>) => {
      const { clientId, clientSecret } = target.clientOptions();
      return { 'client-id': clientId, 'client-secret': clientSecret };
    };
    expect(await withToken(sandbox, token, toCredentialHeaders(sandbox))).toBe(200);
    expect(await withToken(sandbox, token, toCredentialHeaders(other))).toBe(401);
    expect(
      await withToken(sandbox, token, { ...toCredentialHeaders(sandbox), 'client-secret': 'wrong' }),
    ).toBe(401);
    expect(await withToken(sandbox, 'invented', toCredentialHeaders(sandbox))).toBe(401);
  });

  test('identifies the merchant of a request without credential headers', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const { body } = await pay(other, { ...pix(), paymentMethod: 'boleto' });
    const url = `https://any.example/v1/payments/${body.id}/boleto`;
    const statusWith = async (token: string) =>
      (await sandbox.fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusWith(await tokenFor(sandbox, other))).toBe(200);
    expect(await statusWith(await tokenFor(sandbox))).toBe(404);
  });
});

describe('control.oauth', () => {
  test('lists tokens without their value', async () => {
    const sandbox = sandboxForTest();
    const token = await tokenFor(sandbox);
    const { clientId } = sandbox.clientOptions();
    const [first] = sandbox.control.oauth.tokens;
    expect(first).toEqual({
      clientId,
      issuedAt: startOfYear,
      expiresAt: '2026-01-01T01:00:00.000Z',
      state: 'valid',
    });
    const shown =
      inspect(sandbox, { depth: 20, showHidden: true, customInspect: false }) +
      JSON.stringify(sandbox.control.oauth);
    expect(shown).not.toContain(token);
    await sandbox.clock.advance('1h');
    expect(sandbox.control.oauth.tokens.map(({ state }) => state)).toEqual(['expired']);
  });

  test('revokes all tokens at once', async () => {
    const sandbox = sandboxForTest();
    const tokens = [await tokenFor(sandbox), await tokenFor(sandbox, sandbox.addMerchant())];
    sandbox.control.oauth.revokeTokens();
    for (const token of tokens) expect(await withToken(sandbox, token)).toBe(401);
    expect(sandbox.control.oauth.tokens.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
    expect(await withToken(sandbox, await tokenFor(sandbox))).toBe(200);
  });
});

describe('control.credentials.rotate', () => {
  test('replaces the client secret, and revokes the tokens that the old secret obtained', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const before = sandbox.clientOptions();
    const [token, foreign] = [await tokenFor(sandbox), await tokenFor(sandbox, other)];
    const after = sandbox.control.credentials.rotate();
    expect(after.clientId).toBe(before.clientId);
    expect(after.clientSecret).not.toBe(before.clientSecret);
    expect(sandbox.clientOptions()).toEqual(after);
    expect((await call({ clientOptions: () => before }, '/v1/webhooks')).status).toBe(401);
    expect((await call({ clientOptions: () => after }, '/v1/webhooks')).status).toBe(200);
    expect(await withToken(sandbox, token)).toBe(401);
    expect(await withToken(sandbox, foreign)).toBe(200);
  });

  test('does not change another merchant’s credentials', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const [mine, theirs] = [sandbox.clientOptions(), other.clientOptions()];
    expect(sandbox.control.credentials.rotate(other)).toEqual(other.clientOptions());
    expect(other.clientOptions().clientSecret).not.toBe(theirs.clientSecret);
    expect(sandbox.clientOptions()).toEqual(mine);
    expect(() => sandbox.control.credentials.rotate({ clientId: 'unknown' })).toThrow(TypeError);
  });
});
