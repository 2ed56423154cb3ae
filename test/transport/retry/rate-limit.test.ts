import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, credentials } from '../../support/engines.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { id, pix } from '../../support/payments.js';

const clock = { setTimeout, clearTimeout };

/**
 * Creates a client in virtual time over a platform that responds to everything, and records its requests and
 * their times.
 */
function ready(options: object, status = () => 200) {
  const sent: { path: string; at: number }[] = [];
  const started = performance.now();
  const platform = new PaymentPlatform({
    baseUrl: 'https://platform.example',
    ...credentials,
    ...options,
    fetch: async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      sent.push({ path: pathname, at: Math.round(performance.now() - started) });
      return Response.json({}, { status: status() });
    },
  });
  return { platform, sent };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  return () => vi.useRealTimers();
});

/** Advances virtual time until a promise settles. */
async function settled<Result>(promise: Promise<Result>): Promise<Result> {
  let done = false;
  promise.then(
    () => (done = true),
    () => (done = true),
  );
  while (!done) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => clock.setTimeout(resolve, 0));
  }
  return promise;
}

const update = (platform: PaymentPlatform, timeout?: number) =>
  platform.submerchants.update(id, { phone: '1' }, { timeout });

describe('rateLimit: off (the default)', () => {
  test('sends every call', async () => {
    const { platform, sent } = ready({});
    await settled(Promise.all(Array.from({ length: 25 }, () => update(platform))));
    expect(sent).toHaveLength(25);
  });
});

describe('rateLimit: error', () => {
  test('rejects the eleventh call in a minute at once, and states the seconds to wait', async () => {
    const { platform, sent } = ready({ rateLimit: 'error', rateLimits: { submerchants: 10 } });
    await settled(Promise.all(Array.from({ length: 10 }, () => update(platform))));
    await vi.advanceTimersByTimeAsync(20_000);
    const error = await catchError<PaymentPlatformError>(settled(update(platform)));
    expect(error).toMatchObject({ name: 'RateLimitError', outcome: 'not-executed', attempts: 0 });
    expect(error.status).toBeUndefined();
    expect(error.message).toMatch(/own rate limit of 10 requests a minute \(submerchants\)/);
    expect(error.retryAfter).toBeGreaterThan(35);
    expect(error.retryAfter).toBeLessThanOrEqual(40);
    await vi.advanceTimersByTimeAsync(35_000);
    expect(await catchError(settled(update(platform)))).toMatchObject({ name: 'RateLimitError' });
    expect(sent).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(6_000);
    await settled(update(platform));
    expect(sent).toHaveLength(11);
  });

  test('counts creation, updates and onboarding under one limit, but not payments and reads', async () => {
    const { platform, sent } = ready({ rateLimit: 'error', rateLimits: { submerchants: 4 } });
    await settled(platform.submerchants.create({ phone: '1' }));
    await settled(platform.onboarding.submitPf({ ...pf, selfie: jpeg }));
    await settled(platform.onboarding.submitPj({ email: 'ana@example.com' }));
    await settled(update(platform));
    await settled(Promise.all(Array.from({ length: 40 }, () => platform.payments.create(pix))));
    await settled(Promise.all(Array.from({ length: 40 }, () => platform.onboarding.status(id))));
    expect(sent).toHaveLength(84);
    expect(
      await catchError(settled(platform.onboarding.submitPj({ email: 'ana@example.com' }))),
    ).toMatchObject({
      name: 'RateLimitError',
    });
    // The same operation called through `request` also counts.
    const written = platform.request({ method: 'POST', path: '/v1/submerchants', multipart: { phone: '1' } });
    expect(await catchError(settled(written))).toMatchObject({ name: 'RateLimitError' });
  });

  /** Returns the number of calls of each kind that succeed. */
  const through = async (rateLimits: object) => {
    const { platform, sent } = ready({ rateLimit: 'error', rateLimits });
    const calls = Array.from({ length: 12 }, () => [
      update(platform),
      platform.onboarding.submitPj({ email: 'ana@example.com' }),
    ]).flat();
    await settled(Promise.allSettled(calls));
    const onboarded = sent.filter(({ path }) => path.startsWith('/v2/submerchants/onboarding')).length;
    return [sent.length - onboarded, onboarded];
  };

  test('can be set to each interpretation of the documented limit, and defaults to the strictest', async () => {
    expect(await through({})).toEqual([5, 5]);
    expect(await through({ submerchants: 5, onboarding: 10 })).toEqual([5, 10]);
    expect(await through({ onboarding: 10 })).toEqual([5, 10]);
    expect(await through({ submerchants: 10, onboarding: 10 })).toEqual([10, 10]);
    expect(await through({ submerchants: 10, onboarding: 'submerchants' })).toEqual([10, 0]);
    expect(await through({ submerchants: 9 })).toEqual([9, 0]);
  });

  test('throws the first attempt’s error if the limit prevents a retry', async () => {
    const { platform, sent } = ready({ rateLimit: 'error', rateLimits: { submerchants: 1 } }, () => 503);
    const error = await catchError<PaymentPlatformError>(settled(update(platform)));
    expect(error).toMatchObject({ name: 'ServerError', status: 503, outcome: 'unknown', attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  test('counts the vault separately, with a limit of 30', async () => {
    const { platform, sent } = ready({ rateLimit: 'error' });
    const calls = Array.from({ length: 31 }, () => platform.vault.tokenize({}).catch(({ name }) => name));
    const results = await settled(Promise.all(calls));
    expect(results.filter((result) => result === 'RateLimitError')).toHaveLength(1);
    expect(sent).toHaveLength(30);
  });
});

describe('rateLimit: wait', () => {
  test('sends at most as many calls in any minute as the limit allows', async () => {
    const { platform, sent } = ready({
      rateLimit: 'wait',
      rateLimits: { submerchants: 10 },
      timeout: 600_000,
    });
    await settled(Promise.all(Array.from({ length: 35 }, () => update(platform))));
    expect(sent).toHaveLength(35);
    for (const { at } of sent) {
      const inTheMinute = sent.filter((other) => other.at >= at && other.at < at + 60_000);
      expect(inTheMinute.length).toBeLessThanOrEqual(10);
    }
    expect(sent.at(-1)?.at).toBeLessThan(181_000);
  });

  test('rejects a call at once if its wait would last beyond its deadline', async () => {
    const { platform, sent } = ready({ rateLimit: 'wait', rateLimits: { submerchants: 10 } });
    await settled(Promise.all(Array.from({ length: 10 }, () => update(platform))));
    const started = performance.now();
    expect(await catchError(settled(update(platform, 30_000)))).toMatchObject({ name: 'RateLimitError' });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(sent).toHaveLength(10);
    await settled(update(platform, 90_000));
    expect(sent).toHaveLength(11);
  });

  test('stops waiting if the caller aborts, and sends nothing (row 32)', async () => {
    const { platform, sent } = ready({
      rateLimit: 'wait',
      rateLimits: { submerchants: 10 },
      timeout: 600_000,
    });
    await settled(Promise.all(Array.from({ length: 10 }, () => update(platform))));
    const controller = new AbortController();
    const call = platform.submerchants.update(id, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5_000);
    expect(await catchError(settled(call))).toMatchObject({
      name: 'AbortedError',
      outcome: 'not-executed',
      attempts: 0,
    });
    expect(sent).toHaveLength(10);
  });

  test('counts retries towards the limit (row 24)', async () => {
    let responses = 0;
    const limited = { rateLimit: 'wait', rateLimits: { submerchants: 10 }, timeout: 600_000 };
    const { platform, sent } = ready(limited, () => (responses++ < 2 ? 429 : 200));
    await settled(update(platform));
    const calls = Array.from({ length: 8 }, () => update(platform));
    await settled(Promise.all(calls));
    expect(sent).toHaveLength(11);
    expect((sent[10]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
  });
});

test.each([
  [{ rateLimit: 'on' }, /rateLimit must be 'wait', 'error' or 'off'/],
  [{ rateLimits: 10 }, /rateLimits must be an object/],
  [{ rateLimits: { payments: 1 } }, /rateLimits.payments is an unknown group/],
  [
    { rateLimits: { onboarding: 'vault' } },
    /rateLimits.onboarding must be requests a minute.*'submerchants'/,
  ],
  [{ rateLimits: { store: {} } }, /rateLimits.store must have reserve. redisRateLimitStore/],
  [
    { rateLimit: 'off', rateLimits: { store: { reserve: async () => 0 } } },
    /rateLimits.store has no effect with rateLimit: 'off'/,
  ],
  [{ rateLimits: { submerchants: 0 } }, /rateLimits.submerchants must be requests a minute/],
  [{ oauth: { credentials: 'header' } }, /oauth.credentials must be/],
  [
    { oauth: { encoding: 'xml', store: {}, cache: 1 } },
    /oauth.cache is an unknown option.*\n.*oauth.encoding must be.*\n.*oauth.store must have/,
  ],
  [{ auth: 'bearer' }, /auth must be 'headers', 'oauth' or 'both'/],
])('the client rejects the options %j', (options, message) => {
  expect(
    () => new PaymentPlatform({ baseUrl: 'https://x.example', ...credentials, ...(options as object) }),
  ).toThrow(message);
});

test('the client throws the error of the 401 if the rate limit prevents a retry with a new token', async () => {
  const sent: string[] = [];
  const platform = new PaymentPlatform({
    baseUrl: 'https://platform.example',
    ...credentials,
    auth: 'oauth',
    rateLimit: 'error',
    rateLimits: { vault: 1 },
    fetch: async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      sent.push(pathname);
      return pathname === '/oauth/token'
        ? Response.json({ access_token: 'token', expires_in: 3600 })
        : Response.json({}, { status: 401 });
    },
  });
  const error = await settled(catchError(platform.vault.tokenize({ number: '4111111111111111' })));
  expect(error).toMatchObject({ name: 'AuthenticationError', status: 401, attempts: 1 });
  expect(sent).toEqual(['/oauth/token', '/v1/vault/tokenize']);
});
