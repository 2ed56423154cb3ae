import { Agent } from 'node:http';
import { PaymentPlatform, type PaymentPlatformError, type ValidationError } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../../support/engines.js';
import { openCard, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

onBothEngines((engine) => {
  const ready = async (status = 200) => {
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid), { status }))),
    );
    return { server, platform: opens(clientOn(engine, server.url)) };
  };

  test('changes to the payment or the headers during a call do not change the call’s requests (row 37)', async () => {
    const order = structuredClone(pix);
    const headers: Record<string, string> = { 'x-shop': 'one' };
    const server = opens(
      await rawServer(({ socket, index }) => {
        order.amount = 999_999;
        order.items = [];
        headers['x-shop'] = 'another';
        socket.write(formatResponse(JSON.stringify(paid), { status: index < 2 ? 503 : 200 }));
      }),
    );
    const call = opens(clientOn(engine, server.url)).payments.create(order, { headers });
    order.externalId = 'changed at once';
    await call;
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map(({ text }) => text)).size).toBe(1);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(pix);
    expect(server.requests[2]?.headers['x-shop']).toBe('one');
  });

  test('changes to a call’s options after the call began do not change its requests (row 37)', async () => {
    vi.resetModules();
    const fresh = await import('payment-platform');
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))));
    const platform = opens(
      new fresh.PaymentPlatform({
        baseUrl: server.url,
        ...credentials,
        ...(engine === 'ky' ? { fetch: globalThis.fetch } : {}),
      }),
    );
    const options = { idempotencyKey: 'order-1', extraBody: { note: 'first' } };
    const first = platform.payments.create(pix, options);
    options.idempotencyKey = 'order-2';
    options.extraBody.note = 'second';
    await Promise.all([first, platform.payments.create(pix, options)]);
    const sent = server.requests.map(({ headers, body }) => [
      headers['x-idempotency-key'],
      JSON.parse(body).note,
    ]);
    expect(sent.sort()).toEqual([
      ['order-1', 'first'],
      ['order-2', 'second'],
    ]);
  });

  test('a call sends the query as it was at the start, even if modules load first (row 37)', async () => {
    vi.resetModules();
    const fresh = await import('payment-platform');
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse('{}'))));
    const fetch = engine === 'ky' ? { fetch: globalThis.fetch } : {};
    const platform = opens(new fresh.PaymentPlatform({ baseUrl: server.url, ...credentials, ...fetch }));
    const query = { page: 1 };
    const call = platform.request({ method: 'GET', path: '/v1/x', query });
    query.page = 2;
    await call;
    expect(server.requests[0]?.path).toBe('/v1/x?page=1');
  });

  test('a call reads the options that its options object inherits, and the headers that it defines itself', async () => {
    const { server, platform } = await ready();
    const options = Object.assign(Object.create({ idempotencyKey: 'inherited' }), {
      headers: { Accept: 'application/json', 'X-Shop': 'a' },
    });
    await platform.payments.create(pix, options);
    expect(server.requests[0]?.headers).toMatchObject({
      'x-idempotency-key': 'inherited',
      accept: 'application/json',
      'x-shop': 'a',
    });
  });

  describe('validation of idempotency keys and headers (row 45)', () => {
    const secretPart = 'sk_inside_the_key';
    const keys: [string, unknown][] = [
      ['with CR LF', `a\r\nx-evil: ${secretPart}`],
      ['with LF', `a\n${secretPart}`],
      ['with NUL', `a\0${secretPart}`],
      ['with a space before it', ` a ${secretPart}`],
      ['with a space after it', `a ${secretPart} `],
      ['with a tab', `a\t${secretPart}`],
      ['with non-ASCII characters', `pédido-${secretPart}`],
      ['of 256 characters', secretPart.padEnd(256, 'x')],
      ['that is empty', ''],
      ['that is a number', 42],
      ['that is an object', { toString: () => 'key' }],
    ];
    test.each(keys)(
      'rejects an idempotency key %s before anything is sent, and does not show the key',
      async (_, key) => {
        const { server, platform } = await ready();
        const error = await catchError<ValidationError>(
          platform.payments.create(pix, { idempotencyKey: key as string }),
        );
        expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed', attempts: 0 });
        expect(error.issues.map(({ path }) => path)).toEqual(['options.idempotencyKey']);
        expect(error.message).not.toContain(secretPart);
        expect(server.connections).toBe(0);
      },
    );

    test('accepts an idempotency key of 255 visible characters', async () => {
      const { server, platform } = await ready();
      const key = '!~'.repeat(127).padEnd(255, '"');
      await platform.payments.create(pix, { idempotencyKey: key });
      expect(server.requests[0]?.headers['x-idempotency-key']).toBe(key);
    });

    const headers: Record<string, string>[] = [
      { 'x-a': `b\r\nx-evil: ${secretPart}` },
      { 'x-a': `\0${secretPart}` },
      { 'x a': 'b' },
      { 'x-a\r\nx-evil': 'b' },
      { 'x-a': 'ção' },
      { 'Client-Secret': secretPart },
      { authorization: secretPart },
      { 'X-Idempotency-Key': 'other' },
      { 'content-length': '0' },
      { host: 'elsewhere.example' },
      { 'transfer-encoding': 'chunked' },
    ];
    test.each(headers)(
      'rejects the headers %j before anything is sent, and does not show their values',
      async (header) => {
        const { server, platform } = await ready();
        const error = await catchError<ValidationError>(platform.payments.create(pix, { headers: header }));
        expect(error).toMatchObject({ name: 'ValidationError' });
        expect(error.message).not.toContain(secretPart);
        expect(server.connections).toBe(0);
      },
    );
  });

  describe('validation of ids and paths (row 46)', () => {
    const ids: unknown[] = [
      '..',
      '.',
      '',
      ' ',
      '%2e%2e',
      '%2e',
      '../x',
      'a/b',
      'a\\b',
      '\ud800',
      'a\u0000b',
      'a\nb',
      '%',
      undefined,
      null,
      {},
      ['a'],
      Number.NaN,
      1.5,
      Symbol('id'),
    ];
    test.each(ids.map((id) => [id]))('rejects the id %j before anything is sent', async (id) => {
      const { server, platform } = await ready();
      const error = await catchError<ValidationError>(platform.payments.boleto(id as string));
      expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'id' }] });
      expect(server.connections).toBe(0);
    });

    test('accepts an id with reserved characters, and encodes it as one path segment', async () => {
      const { server, platform } = await ready();
      await platform.payments.boleto('a?b#c d&é');
      expect(server.requests[0]?.path).toBe('/v1/payments/a%3Fb%23c%20d%26%C3%A9/boleto');
    });

    const paths = [
      'v1/payments',
      '//evil.example',
      '/v1/../admin',
      '/v1/%2E%2e/admin',
      '/a b',
      '/v1/x?y=1',
      '/v1#x',
      '/é',
      '/a%00',
      '/a%2fb',
      '/\\evil',
      '/a%2',
      'https://evil.example/',
      '',
      7,
    ];
    test.each(paths)('rejects the path %j of platform.request before anything is sent', async (path) => {
      const { server, platform } = await ready();
      const error = await catchError<ValidationError>(
        platform.request({ method: 'GET', path: path as string }),
      );
      expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'path' }] });
      expect(server.connections).toBe(0);
    });
  });

  describe('the names __proto__ and constructor (row 47)', () => {
    test('are ordinary field names in a response, and change no prototype', async () => {
      const evil = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(paid).slice(1)}`;
      const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(evil))));
      const platform = opens(
        clientOn(engine, server.url, { fieldNames: { 'payment.refusalReason': 'constructor' } }),
      );
      const payment = await platform.payments.create(pix);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect((payment as { polluted?: boolean }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(payment)).toBe(Object.prototype);
      expect(payment.refusalReason).toEqual({ prototype: { polluted: true } });
    });

    test('change no prototype in an error body', async () => {
      const server = opens(
        await rawServer(({ socket }) =>
          socket.write(formatResponse('{"__proto__":{"polluted":true},"message":"no"}', { status: 400 })),
        ),
      );
      const error = await catchError<PaymentPlatformError>(
        opens(clientOn(engine, server.url)).payments.create(pix),
      );
      expect(error.body).toEqual({ message: 'no' });
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    });

    test('are omitted from a request’s body, and rejected in its options', async () => {
      const { server, platform } = await ready();
      const order = JSON.parse(`{"__proto__":{"amount":1},${JSON.stringify(pix).slice(1)}`);
      await platform.payments.create(order, {
        extraBody: JSON.parse('{"__proto__":{"amount":1},"note":"x"}'),
      });
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...pix, note: 'x' });
      expect(server.requests[0]?.body).not.toContain('__proto__');
      const error = await catchError(
        platform.payments.create(pix, JSON.parse('{"__proto__":{"idempotencyKey":"inherited"}}')),
      );
      expect(error).toMatchObject({ name: 'ValidationError' });
    });
  });

  describe('a number that JSON or a double cannot represent exactly (row 49)', () => {
    const wrong: [string, unknown, string][] = [
      ['NaN', { ...pix, amount: Number.NaN }, 'amount'],
      ['infinity', { ...pix, amount: Number.POSITIVE_INFINITY }, 'amount'],
      ['cents with a fraction', { ...pix, amount: 19.9 }, 'amount'],
      ['a string for cents', { ...pix, amount: '1990' }, 'amount'],
      ['a bigint', { ...pix, amount: 1990n }, 'amount'],
      [
        'a unit price with a fraction',
        { ...pix, items: [{ title: 'a', quantity: 1, unitPrice: 0.5 }] },
        'items.0.unitPrice',
      ],
      [
        'an integer beyond 2^53 in metadata',
        { ...pix, metadata: { deep: [{ id: 2 ** 53 }] } },
        'metadata.deep.0.id',
      ],
      ['NaN in metadata', { ...pix, metadata: { rate: Number.NaN } }, 'metadata.rate'],
    ];
    test.each(wrong)(
      'is rejected in a request with one issue that names its path: %s',
      async (_, payment, path) => {
        const { server, platform } = await ready();
        const error = await catchError<ValidationError>(platform.payments.create(payment as typeof pix));
        expect(error.issues?.map((issue) => issue.path)).toEqual([path]);
        expect(server.connections).toBe(0);
      },
    );

    test('is returned as a string if it is an integer beyond 2^53 in a response', async () => {
      const text = JSON.stringify({ ...paid, note: 'the text 12345678901234567890 stays' }).replace(
        '1990',
        '12345678901234567890',
      );
      const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(text))));
      const drifted: string[] = [];
      const platform = opens(
        clientOn(engine, server.url, {
          hooks: { onDrift: ({ issues }) => drifted.push(...issues.map(({ path }) => path)) },
        }),
      );
      const payment = await platform.payments.create(pix);
      expect(payment.amount).toBe('12345678901234567890');
      expect(payment).toMatchObject({ note: 'the text 12345678901234567890 stays' });
      expect(drifted).toContain('amount');
    });
  });

  describe('a call with wrong arguments from plain JavaScript', () => {
    const circular: Record<string, unknown> = { ...pix };
    circular.metadata = { order: circular };
    const deep: Record<string, unknown> = {};
    for (let at = deep, level = 0; level < 5_000; level++) at = at.next = {} as Record<string, unknown>;
    const bodies: [string, unknown][] = [
      ['undefined', undefined],
      ['null', null],
      ['a string', 'pix'],
      ['a number', 42],
      ['a list', [pix]],
      ['an empty object', {}],
      ['a Promise', Promise.resolve(pix)],
      ['a Map', new Map(Object.entries(pix))],
      ['a circular object', circular],
      ['an object nested without end', { ...pix, metadata: deep }],
      ['a function inside', { ...pix, metadata: { callback: () => 1 } }],
      ['a symbol inside', { ...pix, metadata: { tag: Symbol('x') } }],
      [
        'wrong types everywhere',
        { externalId: 1, amount: '1', paymentMethod: 3, customer: 'Ana', items: {}, card: [], metadata: 'x' },
      ],
    ];
    test.each(bodies)(
      'rejects with one typed error and sends nothing: payments.create(%s)',
      async (_, payment) => {
        const { server, platform } = await ready();
        const error = await catchError<ValidationError>(platform.payments.create(payment as typeof pix));
        expect(error).toMatchObject({
          name: 'ValidationError',
          code: 'validation_failed',
          outcome: 'not-executed',
          attempts: 0,
        });
        expect(error.issues.length).toBeGreaterThan(0);
        expect(error.message).toMatch(/^payments\.create(?::| has \d problems\.) .*Nothing was sent\./);
        expect(error.message).not.toContain('canary');
        expect(server.connections).toBe(0);
      },
    );

    const options: [unknown, string][] = [
      [null, 'options'],
      ['key', 'options'],
      [7, 'options'],
      [[], 'options'],
      [{ timeout: -1 }, 'options.timeout'],
      [{ timeout: '30s' }, 'options.timeout'],
      [{ timeout: Number.NaN }, 'options.timeout'],
      [{ timeout: 2 ** 31 }, 'options.timeout'],
      [{ timeout: Number.POSITIVE_INFINITY }, 'options.timeout'],
      [{ maxRetries: -1 }, 'options.maxRetries'],
      [{ maxRetries: 1.5 }, 'options.maxRetries'],
      [{ maxRetries: Number.POSITIVE_INFINITY }, 'options.maxRetries'],
      [{ signal: {} }, 'options.signal'],
      [{ signal: { aborted: false, addEventListener: () => undefined } }, 'options.signal'],
      [{ headers: 'x' }, 'options.headers'],
      [{ headers: { 'x-a': 1 } }, 'options.headers.x-a'],
      [{ extraBody: 'x' }, 'options.extraBody'],
      [{ idempotencykey: 'misspelt' }, 'options.idempotencykey'],
    ];
    test.each(options)('rejects with one typed error and sends nothing: options %j', async (input, path) => {
      const { server, platform } = await ready();
      const error = await catchError<ValidationError>(platform.payments.create(pix, input as object));
      expect(error.issues?.map((issue) => issue.path)).toEqual([path]);
      expect(server.connections).toBe(0);
    });

    test('rejects with one error that names every problem, from the options to the last card field', async () => {
      const { platform } = await ready();
      const payment = {
        amount: 99,
        paymentMethod: 'credit_card',
        items: [],
        card: { number: openCard.card.number },
        wallet: {},
      };
      const error = await catchError<ValidationError>(
        platform.payments.create(payment as never, { maxRetries: -1 }),
      );
      expect(error.issues.map(({ path }) => path).sort()).toEqual(
        [
          'options.maxRetries',
          'amount',
          'items',
          'wallet',
          'customer',
          'card.cvv',
          'card.holderName',
          'card.expirationMonth',
          'card.expirationYear',
        ].sort(),
      );
      expect(error.message).not.toContain(openCard.card.number);
    });

    const requests: [unknown, string][] = [
      [undefined, ''],
      ['/v1/x', ''],
      [{}, 'method'],
      [{ method: 'get', path: '/v1/x' }, 'method'],
      [{ method: 'GET', path: '/v1/x', body: {} }, 'body'],
      [{ method: 'POST', path: '/v1/x', body: JSON.stringify({ amount: 1990 }) }, 'body'],
      [{ method: 'GET', path: '/v1/x', query: 'a=b' }, 'query'],
      [{ method: 'GET', path: '/v1/x', query: { a: {} } }, 'query.a'],
      [{ method: 'GET', path: '/v1/x', response: 'xml' }, 'response'],
      [{ method: 'POST', path: '/v1/x', replay: 'always' }, 'replay'],
      [{ method: 'POST', path: '/v1/x', data: {} }, 'data'],
    ];
    test.each(requests)(
      'rejects with one typed error and sends nothing: platform.request(%j)',
      async (input, path) => {
        const { server, platform } = await ready();
        const error = await catchError<ValidationError>(platform.request(input as never));
        expect(error.issues?.map((issue) => issue.path)).toContain(path);
        expect(server.connections).toBe(0);
      },
    );
  });
});

describe('the client’s constructor', () => {
  const failing = (options?: unknown): Error => {
    try {
      new PaymentPlatform(options as never);
    } catch (error) {
      return error as Error;
    }
    throw new Error('expected a ConfigurationError');
  };
  const good = { baseUrl: 'https://platform.example', ...credentials };

  beforeEach(() => {
    for (const name of ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET']) vi.stubEnv(`PAYMENT_PLATFORM_${name}`, '');
  });

  test('names each missing option and the environment variable for it', () => {
    const { name, message } = failing();
    expect(name).toBe('ConfigurationError');
    for (const word of [
      'baseUrl',
      'PAYMENT_PLATFORM_BASE_URL',
      'clientId',
      'PAYMENT_PLATFORM_CLIENT_ID',
      'clientSecret',
      'PAYMENT_PLATFORM_CLIENT_SECRET',
    ]) {
      expect(message).toContain(word);
    }
  });

  test('reads missing options from environment variables', () => {
    vi.stubEnv('PAYMENT_PLATFORM_BASE_URL', 'https://platform.example/base/');
    vi.stubEnv('PAYMENT_PLATFORM_CLIENT_ID', 'id');
    vi.stubEnv('PAYMENT_PLATFORM_CLIENT_SECRET', 'secret');
    expect(new PaymentPlatform().toJSON()).toEqual({
      baseUrl: 'https://platform.example/base/',
      engine: 'node',
    });
  });

  test('selects the node engine on Node, and the ky engine if the option fetch is set', () => {
    expect(new PaymentPlatform(good).engine).toBe('node');
    expect(new PaymentPlatform({ ...good, fetch }).engine).toBe('ky');
  });

  const wrong: [string, unknown][] = [
    ['null', null],
    ['a string', 'https://platform.example'],
    ['a baseUrl that is a number', { ...good, baseUrl: 7 }],
    ['a relative baseUrl', { ...good, baseUrl: '/v1' }],
    ['a baseUrl with a query', { ...good, baseUrl: 'https://platform.example/?x=1' }],
    ['an ftp baseUrl', { ...good, baseUrl: 'ftp://platform.example' }],
    ['an empty clientId', { ...good, clientId: '' }],
    ['a clientId that is a number', { ...good, clientId: 1 }],
    ['a clientSecret with a line break', { ...good, clientSecret: 'sk_live\ncanary' }],
    ['an unknown auth', { ...good, auth: 'basic' }],
    ['the timeout 0', { ...good, timeout: 0 }],
    ['a timeout longer than a timer allows', { ...good, timeout: 2 ** 31 }],
    ['maxRetries that is a string', { ...good, maxRetries: '2' }],
    ['a fetch that is a string', { ...good, fetch: 'fetch' }],
    ['an agent together with fetch', { ...good, fetch, agent: {} }],
    ['hooks that are a function', { ...good, hooks: () => 1 }],
    ['hooks that are a list', { ...good, hooks: [] }],
    ['a misspelt hook', { ...good, hooks: { onRequst: () => 1 } }],
    ['an agent that is a number', { ...good, agent: 42 }],
    ['an agent that is an empty object', { ...good, agent: {} }],
    ['an http agent for an https baseUrl', { ...good, agent: new Agent() }],
    ['a hook that is not a function', { ...good, hooks: { onRetry: 'log' } }],
    ['a misspelt option', { ...good, clientSecrt: 'x' }],
    ['fieldNames with an unknown key', { ...good, fieldNames: { 'payment.colour': 'x' } }],
    ['fieldNames with an empty name', { ...good, fieldNames: { 'payment.split': '' } }],
    ['fieldNames with the name __proto__', { ...good, fieldNames: { 'payment.split': '__proto__' } }],
    ['fieldNames that are a list', { ...good, fieldNames: [] }],
  ];
  test.each(wrong)('throws a ConfigurationError for %s', (_, options) => {
    const { name, message } = failing(options);
    expect(name).toBe('ConfigurationError');
    expect(message).not.toContain('canary');
  });

  describe('with the option baseUrl (row 52)', () => {
    test.each([
      'http://platform.example',
      'http://10.0.0.5',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
    ])('rejects the address %s, which is neither https nor loopback', (baseUrl) => {
      expect(failing({ ...good, baseUrl }).message).toContain('https');
    });

    test('rejects a user name in the address, and does not repeat the address', () => {
      const { message } = failing({ ...good, baseUrl: 'https://user:hunter2@platform.example' });
      expect(message).toContain('user name');
      expect(message).not.toContain('hunter2');
    });

    test.each([
      'http://localhost:4010',
      'http://127.0.0.1:4010',
      'http://127.8.8.8',
      'http://[::1]:4010',
      'https://platform.example',
    ])('accepts the https or loopback address %s', (baseUrl) => {
      expect(() => new PaymentPlatform({ ...good, baseUrl })).not.toThrow();
    });

    describe('with the option insecureHosts', () => {
      const accepted: [string, string][] = [
        ['sandbox', 'http://sandbox:4010'],
        ['sandbox', 'http://SANDBOX/base/'],
        ['my_sandbox.internal', 'http://my_sandbox.internal'],
        ['10.0.0.5', 'http://10.0.0.5:4010'],
        ['10.0.0.5', 'http://10.5'],
        ['[fd00::5]', 'http://[fd00:0:0:0:0:0:0:5]:4010'],
        ['sandbox', 'https://platform.example'],
      ];
      test.each(accepted)('accepts the listed host %s in the address %s', (host, baseUrl) => {
        expect(() => new PaymentPlatform({ ...good, baseUrl, insecureHosts: [host] })).not.toThrow();
      });

      test.each([
        'http://platform.example',
        'http://sandbox.',
        'http://sandbox.evil.example',
        'http://evil.sandbox',
        'http://sandbo',
        'http://sandbox2',
        'http://[::2]',
        'http://localhost.',
      ])('rejects the address %s if the list contains only the host sandbox', (baseUrl) => {
        const { message } = failing({ ...good, baseUrl, insecureHosts: ['sandbox'] });
        expect(message).toContain('insecureHosts names');
      });

      test('rejects a user name in the address', () => {
        const options = { ...good, baseUrl: 'http://sandbox@evil.example', insecureHosts: ['sandbox'] };
        expect(failing(options).message).toContain('user name');
      });

      test.each([
        '',
        '*',
        '*.internal',
        'sandbox:4010',
        'http://sandbox',
        'sandbox/',
        'Sandbox',
        'sandbox.',
        '.sandbox',
        'sand..box',
        'sand box',
        'sändbox',
        '-sandbox',
        'evil@sandbox',
        'sandbox#',
        'sandbox\n',
        'x'.repeat(64),
        '127.1',
        '0x7f000001',
        'fd00::5',
        '[fd00:0::5]',
        '[fd00::5]:4010',
        '[fd00::5',
        '[::ffff:10.0.0.5]',
        7,
        null,
        {},
      ])('rejects %j as a host name', (host) => {
        const { name, message } = failing({ ...good, insecureHosts: ['sandbox', host] });
        expect(name).toBe('ConfigurationError');
        expect(message).toContain('insecureHosts.1 must be a host name as it stands in baseUrl');
      });

      test.each(['sandbox', { 0: 'sandbox' }, true, Array(2 ** 32 - 1)])(
        'rejects a value that is not a list of at most 100 host names: %#',
        (insecureHosts) => {
          expect(failing({ ...good, insecureHosts }).message).toContain(
            'must be a list of at most 100 host names',
          );
        },
      );
    });
  });
});
