import { memoryTokenStore, type PaymentPlatform, redisTokenStore, type TokenStore } from 'payment-platform';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientOn, onBothEngines } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { json } from '../support/form-server.js';
import { pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { tokenServer } from '../support/token-server.js';
import { warmUp } from '../support/warm-up.js';

const opens = closedAfterEach();

beforeAll(warmUp);

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Advances both of the clocks that a token's age is read from. */
function pass(seconds: number): void {
  const wall = Date.now() + seconds * 1000;
  const monotonic = performance.now() + seconds * 1000;
  vi.spyOn(Date, 'now').mockImplementation(() => wall);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
}

const never = () => new Promise<never>(() => undefined);
const after = <Result>(milliseconds: number, result: Result) =>
  new Promise<Result>((resolve) => setTimeout(resolve, milliseconds, result));
const thrown = (): never => {
  throw new Error('redis is down');
};
const nothing = { get: async () => undefined, set: async () => undefined };

/** Creates stores that never grant a lock, never return a token in time or never respond in time. */
const stores: Record<string, () => TokenStore> = {
  'always reports the lock as taken': () => ({ ...nothing, lock: async () => undefined }),
  'always reports the lock as taken, with null': () => ({ ...nothing, lock: async () => null as never }),
  'never responds': () => ({ get: never, set: never, lock: never }),
  'never responds to get': () => ({ ...memoryTokenStore(), get: never }),
  'never responds to lock': () => ({ ...memoryTokenStore(), lock: never }),
  'responds slowly, and reports the lock as taken': () => ({
    get: () => after(150, undefined),
    set: () => after(150, undefined),
    lock: () => after(150, undefined),
  }),
  'grants the lock late': () => ({ ...memoryTokenStore(), lock: () => after(800, async () => undefined) }),
  'throws synchronously': () => ({ get: thrown, set: thrown, lock: thrown }),
  'grants a lock whose release throws': () => ({
    ...nothing,
    lock: async () => thrown,
  }),
  'returns a thenable that throws': () => {
    const hostile = () => Object.defineProperty({}, 'then', { get: thrown }) as Promise<undefined>;
    return { get: hostile, set: hostile, lock: hostile };
  },
};

onBothEngines((engine) => {
  test('a token store that fails, hangs or always reports a lock causes only one token request and no failed call (row 61)', async () => {
    const tokenRequests = async ([name, make]: [string, () => TokenStore], timeout: number | undefined) => {
      const server = opens(await tokenServer({ call: (response) => json(response, 200, {}) }));
      const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth: { store: make() } }));
      await Promise.all(
        [timeout, undefined].map((timeout) => platform.payments.create(pix, timeout ? { timeout } : {})),
      );
      const first = server.tokens.length;
      await platform.payments.create(pix, { timeout: 5_000 });
      return { name, timeout, counts: [first, server.tokens.length] };
    };
    // All stores at once, because most of them wait for seconds.
    const cases = Object.entries(stores).flatMap((store) =>
      [20_000, undefined].map((timeout) => ({ store, timeout })),
    );
    const results = await Promise.all(
      cases.map(({ store, timeout }) =>
        tokenRequests(store, timeout).catch((error: unknown) => ({ name: store[0], timeout, error })),
      ),
    );
    expect(results).toEqual(cases.map(({ store: [name], timeout }) => ({ name, timeout, counts: [1, 1] })));
  });

  test('a call with a short timeout gets a token even if the store’s lock stays taken (row 61)', async () => {
    const server = opens(await tokenServer({ call: (response) => json(response, 200, {}) }));
    // The first call loads modules, and that time must not count against the measured calls.
    await opens(clientOn(engine, server.url, { auth: 'oauth' })).payments.create(pix);
    const store = stores['always reports the lock as taken']?.() as TokenStore;
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth: { store } }));
    const ends: string[] = [];
    for (let count = 0; count < 3; count++)
      ends.push(
        await platform.payments.create(pix, { timeout: 900 }).then(
          () => 'done',
          ({ name }: Error) => name,
        ),
      );
    expect(ends).toEqual(['done', 'done', 'done']);
    expect(server.tokens).toHaveLength(2);
  });
});

/** Imitates a Redis client in this process. `command` can replace each response. */
function redisLike(
  command: (name: string, getReply: () => unknown) => unknown = (_name, getReply) => getReply(),
) {
  const values = new Map<string, string>();
  const reply = (name: string, [key = '', value = '', ...options]: string[]) => {
    if (name === 'GET') return values.get(key) ?? null;
    if (name === 'EVAL') return values.delete(options[0] ?? '') ? 1 : 0;
    if (options.includes('NX') && values.has(key)) return null;
    values.set(key, value);
    return 'OK';
  };
  const client = {
    call: async (name: string, ...args: string[]) => command(name, () => reply(name, args)),
  };
  return { values, store: redisTokenStore(client) };
}

describe('an access token in Redis', () => {
  const start = async (store: TokenStore, behaviour: Parameters<typeof tokenServer>[0] = {}) => {
    const server = opens(await tokenServer({ call: (response) => json(response, 200, {}), ...behaviour }));
    const client = () => opens(clientOn('node', server.url, { auth: 'oauth', oauth: { store } }));
    return { server, client };
  };

  test('is shared even if Redis cannot run the script that releases the token lock', async () => {
    const { store, values } = redisLike((name, getReply) => (name === 'EVAL' ? thrown() : getReply()));
    const { server, client } = await start(store);
    await client().payments.create(pix);
    expect([...values.keys()].some((key) => key.endsWith(':lock'))).toBe(true);
    await client().payments.create(pix);
    expect(server.tokens).toHaveLength(1);
    for (const key of values.keys()) if (!key.endsWith(':lock')) values.delete(key);
    await client().payments.create(pix, { timeout: 1_000 });
    expect(server.tokens).toHaveLength(2);
  });

  test('is requested by each client separately if Redis rejects writes', async () => {
    const { store } = redisLike((name, getReply) => (name === 'SET' ? thrown() : getReply()));
    const { server, client } = await start(store);
    for (const one of [client(), client()]) await one.payments.create(pix);
    expect(server.tokens).toHaveLength(2);
  });

  test.each(
    [
      'null',
      '[]',
      '{"value":"a b","issuedAt":0,"lifetime":1e9}',
      '{"value":"forged","issuedAt":"now","lifetime":3600}',
      '{"value":"forged","issuedAt":-1e999,"lifetime":1e999}',
      '{"value":"forged","issuedAt":0,"lifetime":1e999}',
      `{"value":"${'x'.repeat(20_000)}","issuedAt":0,"lifetime":1e9}`,
      '\0',
    ].map((value) => [value.slice(0, 60), value] as const),
  )('is treated as missing if the stored value is %j', async (_, value) => {
    const { store } = redisLike((name, getReply) => (name === 'GET' ? value : getReply()));
    const { server, client } = await start(store);
    await client().payments.create(pix);
    expect(server.calls[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('is locked for at most 60 seconds while it is requested', async () => {
    const times: number[] = [];
    const store: TokenStore = {
      ...memoryTokenStore(),
      lock: async (_key, ttl) => {
        times.push(ttl);
        return async () => undefined;
      },
    };
    const { client } = await start(store);
    await client().payments.create(pix);
    expect(times).toEqual([60_000]);
  });

  test('is requested once if a second client waits while the first client requests it', async () => {
    const { store } = redisLike();
    const held: (() => void)[] = [];
    const { server, client } = await start(store, {
      token: (response, index) => {
        held.push(() => json(response, 200, { access_token: `token-${index + 1}`, expires_in: 3600 }));
      },
    });
    const first = client().payments.create(pix);
    await eventually(() => expect(held).toHaveLength(1));
    const second = client().payments.create(pix);
    held[0]?.();
    await Promise.all([first, second]);
    expect(server.tokens).toHaveLength(1);
  });
});

describe('a shared token store', () => {
  const two = async (store: TokenStore, behaviour: Parameters<typeof tokenServer>[0] = {}) => {
    const server = opens(await tokenServer({ call: (response) => json(response, 200, {}), ...behaviour }));
    const clients = [1, 2].map(() =>
      opens(clientOn('node', server.url, { auth: 'oauth', oauth: { store } })),
    );
    return { server, clients };
  };

  test('lets two clients share one token, even if both clients start at once', async () => {
    const { server, clients } = await two(memoryTokenStore());
    await Promise.all(
      clients.flatMap((client) => [client.payments.create(pix), client.payments.create(pix)]),
    );
    expect(server.tokens).toHaveLength(1);
  });

  test('does not make a client use a token that the platform has rejected', async () => {
    const { server, clients } = await two(memoryTokenStore(), { call: undefined as never });
    await Promise.all(clients.map((client) => client.payments.create(pix)));
    server.revoke();
    await Promise.all(clients.map((client) => client.payments.create(pix)));
    expect(server.tokens).toHaveLength(2);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('redis is down'))],
    ['responds with nonsense', async () => 'nonsense' as never],
    [
      'throws',
      () => {
        throw new Error('redis is down');
      },
    ],
  ])('that %s causes one token request per client, and no call fails', async (_name, fails) => {
    const { server, clients } = await two({ get: fails, set: fails, lock: fails as never });
    await Promise.all(clients.map((client) => client.payments.create(pix)));
    expect(server.calls).toHaveLength(2);
    expect(server.tokens).toHaveLength(2);
  });

  test('does not make a client use a token that was rejected while the client waited for the lock', async () => {
    const inner = memoryTokenStore();
    let onRequested: () => void = () => undefined;
    let resolveLock: (lock: undefined) => void = () => undefined;
    let isHeld = false;
    const store: TokenStore = {
      ...inner,
      lock: (key, ttl) => {
        if (!isHeld) return inner.lock(key, ttl);
        isHeld = false;
        onRequested();
        return new Promise((resolve) => (resolveLock = resolve));
      },
    };
    const { server, clients } = await two(store, { call: undefined as never });
    const [client] = clients as [PaymentPlatform];
    await client.payments.create(pix);
    // At this age the token is refreshed early, and the refresh finds the lock held by another process.
    pass(3400);
    isHeld = true;
    const locked = new Promise<void>((resolve) => (onRequested = resolve));
    await client.payments.create(pix);
    await locked;
    server.revoke();
    const call = client.payments.create(pix);
    await eventually(() => expect(server.calls.length).toBe(3));
    resolveLock(undefined);
    await expect(call).resolves.toMatchObject({ status: 'paid' });
    expect(server.tokens).toHaveLength(2);
  });

  test.each(['get', 'lock'] as const)(
    'delays a call by only half a second if its method %s hangs',
    async (method) => {
      let onRequested: () => void = () => undefined;
      const requested = new Promise<void>((resolve) => (onRequested = resolve));
      const hang = () => {
        onRequested();
        return never();
      };
      const { server, clients } = await two({ ...memoryTokenStore(), [method]: hang });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const call = clients[0]?.payments.create(pix, { timeout: 30_000 });
      await requested;
      await vi.advanceTimersByTimeAsync(499);
      // A token request that was sent before this request would also arrive before it.
      await (await fetch(`${server.url}/probe`)).text();
      expect(server.tokens).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await call;
      expect(server.tokens).toHaveLength(1);
    },
  );

  test('that grants a lock after the client stopped waiting gets the lock released at once', async () => {
    let released = 0;
    let late: (release: () => Promise<void>) => void = () => undefined;
    const store: TokenStore = {
      ...nothing,
      lock: () => new Promise((resolve) => (late = resolve)),
    };
    const { server, clients } = await two(store);
    await clients[0]?.payments.create(pix, { timeout: 30_000 });
    expect(server.tokens).toHaveLength(1);
    expect(released).toBe(0);
    late(async () => void released++);
    await eventually(() => expect(released).toBe(1));
    expect(server.tokens).toHaveLength(1);
  });

  test('receives a new token even if the client could not read from the store', async () => {
    const inner = memoryTokenStore();
    let isDown = true;
    const store: TokenStore = {
      ...inner,
      get: async (key) => {
        if (isDown) throw new Error('redis is down');
        return inner.get(key);
      },
    };
    const { server, clients } = await two(store);
    await clients[0]?.payments.create(pix);
    isDown = false;
    await clients[1]?.payments.create(pix);
    expect(server.tokens).toHaveLength(1);
  });

  test('lets clients use a token that is still valid while its renewal fails, and limits the renewals (row 30)', async () => {
    const store = memoryTokenStore();
    const { server, clients } = await two(store, {
      token: (response, index) =>
        index === 0
          ? json(response, 200, { access_token: 'token-1', expires_in: 3600 })
          : json(response, 400, {}),
    });
    await clients[0]?.payments.create(pix);
    pass(3400);
    for (let count = 0; count < 30; count++) {
      await clients[1]?.payments.create(pix);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(server.tokens.length).toBeGreaterThan(1));
    expect(server.tokens.length).toBeLessThanOrEqual(3);
    expect(server.calls).toHaveLength(31);
  });

  test('does not delay a call if saving the token never ends', async () => {
    const { server, clients } = await two({ ...memoryTokenStore(), set: () => new Promise(() => undefined) });
    // The client's own timers never fire, so a call that waits for the store would never end.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      await clients[0]?.payments.create(pix);
    } finally {
      vi.useRealTimers();
    }
    expect(server.tokens).toHaveLength(1);
  });
});
