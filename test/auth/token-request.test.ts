import { inspect } from 'node:util';
import {
  type ConfigurationError,
  memoryTokenStore,
  type OAuthOptions,
  type PaymentPlatformError,
  type TokenStore,
} from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { json } from '../support/form-server.js';
import { pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { tokenServer } from '../support/token-server.js';

const opens = closedAfterEach();
const reserved = { clientId: 'a+b', clientSecret: 'p+q/r=%&:cao' };

onBothEngines((engine) => {
  const sent = async (oauth: OAuthOptions, options = {}) => {
    const server = opens(await tokenServer());
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth, ...options }));
    await platform.payments.create(pix);
    const [request] = server.tokens;
    const [, encoded = ''] = request?.headers.authorization?.split(' ') ?? [];
    return {
      basic: Buffer.from(encoded, 'base64').toString(),
      body:
        oauth.encoding === 'form'
          ? Object.fromEntries(new URLSearchParams(request?.body))
          : (JSON.parse(request?.body ?? '') as unknown),
    };
  };

  describe.each(['json', 'form'] as const)('a token request in %s', (encoding) => {
    test('form-encodes Basic credentials by default, and sends them unchanged with basicEncoding: none', async () => {
      const grant = { grant_type: 'client_credentials' };
      expect(await sent({ credentials: 'basic', encoding }, reserved)).toEqual({
        basic: 'a%2Bb:p%2Bq%2Fr%3D%25%26%3Acao',
        body: grant,
      });
      const basic = { credentials: 'basic', encoding } as const;
      expect(await sent({ ...basic, basicEncoding: 'form' }, reserved)).toEqual({
        basic: 'a%2Bb:p%2Bq%2Fr%3D%25%26%3Acao',
        body: grant,
      });
      expect(await sent({ ...basic, basicEncoding: 'none' }, reserved)).toEqual({
        basic: 'a+b:p+q/r=%&:cao',
        body: grant,
      });
    });

    test('sends credentials in the body unchanged, whatever characters they contain', async () => {
      expect(await sent({ encoding }, reserved)).toEqual({
        basic: '',
        body: {
          grant_type: 'client_credentials',
          client_id: reserved.clientId,
          client_secret: reserved.clientSecret,
        },
      });
    });

    test.each(['body', 'basic'] as const)(
      'sends extra fields along with credentials in %s',
      async (credentials) => {
        const extraBody = { scope: 'payments:write payments:read', audience: 'https://api.example/ção&' };
        const { body } = await sent({ credentials, encoding, extraBody });
        expect(body).toMatchObject({ grant_type: 'client_credentials', ...extraBody });
      },
    );
  });

  test('oauth.extraBody is copied when the client is created, and each field is read only once', async () => {
    let reads = 0;
    const extraBody = {
      get scope() {
        return `read-${++reads}`;
      },
    };
    const { body } = await sent({ extraBody });
    expect(body).toMatchObject({ scope: 'read-1' });
    expect(reads).toBe(1);
  });

  test('the error of a token request hides an extra field that the response repeats (rows 50 and 63)', async () => {
    const assertion = 'assertion-canary-1';
    const server = opens(
      await tokenServer({
        token: (response) => json(response, 400, { message: `bad ${assertion}`, assertion }),
      }),
    );
    const platform = opens(
      clientOn(engine, server.url, { auth: 'oauth', oauth: { extraBody: { client_assertion: assertion } } }),
    );
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error.message).toContain('[redacted]');
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain(assertion);
  });
});

describe('the key under which a token is stored', () => {
  const collectKeys = async (
    ...options: { oauth?: OAuthOptions; clientId?: string; clientSecret?: string }[]
  ) => {
    const inner = memoryTokenStore();
    const server = opens(await tokenServer({ call: (response) => json(response, 200, {}) }));
    const keys: (string | undefined)[] = [];
    for (const { oauth = {}, ...rest } of options) {
      const requestedKeys: string[] = [];
      const get = (key: string) => {
        requestedKeys.push(key);
        return inner.get(key);
      };
      const store: TokenStore = { ...inner, get };
      const own = { auth: 'oauth', oauth: { store, ...oauth } } as const;
      await opens(clientOn('node', server.url, { ...own, ...rest })).payments.create(pix);
      keys.push(requestedKeys[0]);
    }
    return { keys, server };
  };

  test('depends on the client secret, so that a public client id alone gets no stored token', async () => {
    const { keys, server } = await collectKeys(
      {},
      { clientSecret: 'the-next-secret' },
      { oauth: { clientId: 'merchant-1', clientSecret: 'the-secret-of-tokens' } },
    );
    expect(keys[0]).toMatch(/^token:[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(3);
    expect(server.tokens).toHaveLength(3);
  });

  test('depends on the client id and the extra fields, but not on their order or on the encoding', async () => {
    const { keys } = await collectKeys(
      {},
      { clientId: 'merchant-2' },
      { oauth: { extraBody: { scope: 'a' } } },
      { oauth: { extraBody: { scope: 'b' } } },
      { oauth: { extraBody: { scope: 'a', audience: 'x' } } },
      { oauth: { extraBody: { audience: 'x', scope: 'a' } } },
      { oauth: { credentials: 'basic', encoding: 'form' } },
    );
    expect(new Set(keys.slice(0, 5)).size).toBe(5);
    expect(keys[5]).toBe(keys[4]);
    expect(keys[6]).toBe(keys[0]);
  });

  test('is another one for a client of `with` that has the client id of a merchant, but not its secret', async () => {
    const server = opens(await tokenServer());
    const oauth = { store: memoryTokenStore() };
    const platform = opens(clientOn('node', server.url, { auth: 'oauth', oauth }));
    await platform.with({ clientId: 'shop-7', clientSecret: 'the-secret-of-shop-7' }).warmUp();
    await platform.with({ clientId: 'shop-7', clientSecret: 'a-guess' }).warmUp();
    expect(server.tokens.map(({ body }) => body)).toEqual([
      expect.stringContaining('the-secret-of-shop-7'),
      expect.stringContaining('a-guess'),
    ]);
  });
});

describe('validation of the option oauth when the client is created', () => {
  const findProblem = (oauth: unknown, options = {}) => {
    try {
      clientOn('node', 'http://127.0.0.1:1', { oauth: oauth as OAuthOptions, ...options });
    } catch (error) {
      return (error as ConfigurationError).message;
    }
    return undefined;
  };

  test.each([
    ['a list', [], /oauth must be an object/],
    [
      'an unknown option',
      { cache: true },
      /oauth\.cache is an unknown option\. Known: clientId, clientSecret, grantType, credentials/,
    ],
    ['an unknown encoding', { encoding: 'xml' }, /oauth\.encoding must be 'json' or 'form'/],
    [
      'an unknown place for the credentials',
      { credentials: 'query' },
      /oauth\.credentials must be 'body' or 'basic'/,
    ],
    [
      'an unknown Basic encoding',
      { credentials: 'basic', basicEncoding: 'raw' },
      /oauth\.basicEncoding must be 'form' or 'none'/,
    ],
    [
      'a Basic encoding without Basic',
      { basicEncoding: 'none' },
      /oauth\.basicEncoding has no effect without credentials: 'basic'/,
    ],
    ['a string as extraBody', { extraBody: 'scope=a' }, /oauth\.extraBody must be an object of strings/],
    ['a list as extraBody', { extraBody: ['canary'] }, /oauth\.extraBody must be an object of strings/],
    ['a number in extraBody', { extraBody: { scope: 1 } }, /oauth\.extraBody\.scope must be a string/],
    ['null in extraBody', { extraBody: { scope: null } }, /oauth\.extraBody\.scope must be a string/],
    [
      'half a character',
      { extraBody: { scope: 'canary\ud800' } },
      /oauth\.extraBody\.scope contains a lone surrogate/,
    ],
    ['no name', { extraBody: { '': 'canary' } }, /oauth\.extraBody has a field whose name cannot be sent/],
    [
      'grant_type',
      { extraBody: { grant_type: 'canary' } },
      /must not contain grant_type, which the SDK sends/,
    ],
    ['client_id', { extraBody: { client_id: 'canary' } }, /must not contain client_id/],
    [
      'client_secret',
      { credentials: 'basic', extraBody: { client_secret: 'canary' } },
      /must not contain client_secret/,
    ],
  ])('rejects %s', (_name, oauth, message) => {
    expect(findProblem(oauth)).toMatch(message);
    expect(findProblem(oauth)).not.toContain('canary');
  });

  test('rejects an extra field with a name that fieldNames gives to grant_type', () => {
    const fieldNames = { 'oauth.grant_type': 'grant' };
    expect(findProblem({ extraBody: { grant: 'x' } }, { fieldNames })).toMatch(/must not contain grant,/);
    expect(findProblem({ extraBody: { grant: 'x' } })).toBeUndefined();
  });

  test('rejects a colon in the client id with basicEncoding: none', () => {
    const clientId = 'a:b';
    const basic = { credentials: 'basic', basicEncoding: 'none' };
    expect(findProblem(basic, { clientId })).toMatch(/clientId must not contain a colon.*RFC 7617/);
    expect(findProblem(basic, { clientSecret: 'a:b' })).toBeUndefined();
    expect(findProblem({ credentials: 'basic' }, { clientId })).toBeUndefined();
    expect(findProblem({}, { clientId })).toBeUndefined();
  });

  test('rejects credentials in quotation marks, which an .env file can leave around a value', () => {
    for (const name of ['clientId', 'clientSecret'])
      for (const quoted of ['"merchant-1042"', "'merchant-1042'"])
        expect(findProblem({}, { [name]: quoted })).toContain(`${name} is in quotation marks. Remove them`);
  });

  test('rejects credentials with characters outside visible ASCII, which btoa could not encode', () => {
    for (const clientSecret of ['ção', 'a b', 'a\nb', '\u0080'])
      expect(findProblem({ credentials: 'basic', basicEncoding: 'none' }, { clientSecret })).toMatch(
        /clientSecret must be a string of visible ASCII/,
      );
  });
});
