import fc from 'fast-check';
import {
  type CallOptions,
  type CreatedWithdrawal,
  isPaymentPlatformError,
  type Payment,
  PaymentPlatform,
  type PaymentPlatformError,
  responseOf,
} from 'payment-platform';
import {
  createSandbox,
  type Fault,
  type FaultRule,
  type Sandbox,
  type SandboxOptions,
} from 'payment-platform/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isRecord } from '../../src/validation/record.js';
import { load, runs, seed } from '../support/load.js';
import { Connections, type LostConnection } from '../support/lost-connections.js';
import { pix } from '../support/payments.js';

// Makes random payments under random faults, and checks them against the sandbox's ledger.

/** Faults that can occur whether or not the payment was executed. */
const anyPhase: Fault[] = [
  'reset',
  'hang',
  'truncate',
  'garbage',
  'empty',
  'invalid-json',
  { status: 200, body: '12' },
  { status: 200, body: [] },
  { status: 408 },
  { status: 425 },
  { status: 500 },
  { status: 502, body: '<html>bad gateway</html>' },
  { status: 503, headers: { 'retry-after': '1' } },
  { status: 504 },
  { status: 501 },
  { status: 302, headers: { location: 'https://elsewhere.example/' } },
];

/** Rejections that the platform sends only when it has executed nothing. */
const beforeOnly: Fault[] = [
  { status: 400, body: { message: 'no' } },
  { status: 401 },
  { status: 403 },
  { status: 404 },
  { status: 422 },
  { status: 429, headers: { 'retry-after': '2' } },
  { status: 429 },
];

/** Valid header values that code which merges options or headers could misread. */
const hostileKeys = [
  'prefixUrl',
  '__proto__',
  'constructor',
  'false',
  'a, b; c=1',
  '%0d%0ax-evil: 1',
  'order of 2026',
  '"quoted"',
  'undefinedly',
  '~`!@#$%^&*()',
];

const fault: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.record({
    nth: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 3 }),
    fault: fc.constantFrom(...anyPhase),
    phase: fc.constantFrom('before-commit' as const, 'after-commit' as const),
    delay: fc.constantFrom(0, 0, 40, 900),
  }),
  fc.record({
    nth: fc.integer({ min: 1, max: 3 }),
    fault: fc.constantFrom(...beforeOnly),
    delay: fc.constantFrom(0, 40),
  }),
  fc.record({ nth: fc.integer({ min: 1, max: 3 }), fault: fc.constant('acquirer-unknown' as const) }),
);

/**
 * Describes a connection that fails with an ambiguous code, either before the connection opens or during the
 * response.
 */
const lostConnection: fc.Arbitrary<LostConnection> = fc.record({
  nth: fc.integer({ min: 1, max: 3 }),
  when: fc.constantFrom('connecting', 'responding'),
  code: fc.constantFrom(
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EPROXY',
    'CERT_ALERT',
  ),
});

/** Describes one action of a merchant. */
const step = fc.record({
  what: fc.constantFrom('payment', 'payment', 'payment', 'withdrawal'),
  key: fc.constantFrom('own', 'hostile', 'generated', 'none', 'same again'),
  timeout: fc.constantFrom(60, 500, 3_000, 30_000),
  maxRetries: fc.integer({ min: 0, max: 3 }),
  auth: fc.constantFrom('headers' as const, 'headers' as const, 'oauth' as const),
  /** The platform revokes every token it has issued. */
  revoke: fc.boolean(),
  /** The time in milliseconds until the caller aborts. */
  abortAfter: fc.option(fc.constantFrom(0, 30, 700), { freq: 5, nil: undefined }),
  /** Two processes send the same payment at the same time. */
  twice: fc.boolean(),
  resolve: fc.option(fc.constantFrom('created' as const, 'not-created' as const), { nil: undefined }),
  faults: fc.array(fault, { minLength: 2, maxLength: 5 }),
  lost: fc.option(lostConnection, { freq: 2, nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The environment of the model: how it creates a client, and how time passes. */
interface World {
  readonly sandbox: Sandbox;
  readonly connections: Connections;
  client(): PaymentPlatform;
  /** Waits for promises, and advances virtual time if this environment has it. */
  settled(calls: Promise<unknown>[]): Promise<void>;
  /** The tolerated delay of a call, in milliseconds. */
  readonly slack: number;
  /**
   * Resolves when the platform has executed every request. Over sockets, a request can arrive after its call
   * ended.
   */
  arrived(): Promise<void>;
  /** Resends over a stale keep-alive connection, which do not count as retries. */
  readonly staleResends: number;
}

let hits = 0;
let keys = 0;
let withdrawals = 0;

type Result = { readonly payment: Payment } | { readonly error: PaymentPlatformError };

/** Carries out the steps, and checks every promise of the package against the ledger after each step. */
async function run(world: World, steps: readonly Step[]): Promise<void> {
  const { sandbox } = world;
  let lastKey: string | undefined;
  /** Orders whose outcomes so far are all not-executed. */
  const untouched = new Set<string>();
  const touched = new Set<string>();
  const withdrawn: Withdrawn[] = [];
  for (const {
    what,
    key,
    timeout,
    maxRetries,
    auth,
    revoke,
    abortAfter,
    twice,
    resolve,
    faults,
    lost,
  } of steps) {
    sandbox.faults.clear();
    world.connections.lose(lost);
    if (revoke) sandbox.control.oauth.revokeTokens();
    if (what === 'withdrawal') {
      for (const rule of faults) if (rule.fault !== 'acquirer-unknown') sandbox.faults.add(rule);
      withdrawn.push(await withdraw(world, { timeout, maxRetries, auth }));
      continue;
    }
    // A 401 renews the token once, in addition to the retries.
    const mostAttempts = 1 + maxRetries + world.staleResends + (auth === 'oauth' ? 1 : 0);
    for (const rule of faults) sandbox.faults.add(rule);
    if (resolve !== undefined && lastKey !== undefined)
      attempt(() => sandbox.control.payments.resolve(lastKey as string, resolve));

    const again = key === 'same again' && lastKey !== undefined;
    const idempotencyKey = again
      ? lastKey
      : key === 'own' || key === 'hostile'
        ? `${key === 'own' ? 'order' : hostileKeys[keys % hostileKeys.length]}-${keys++}`
        : key === 'none'
          ? null
          : undefined;
    const externalId = again
      ? `ref-${lastKey}`
      : typeof idempotencyKey === 'string'
        ? `ref-${idempotencyKey}`
        : `ref-${keys++}`;
    const listCharges = () =>
      sandbox.ledger.charges.filter(({ externalReference }) => externalReference === externalId);
    const requestsBefore = sandbox.journal.requests.length;

    const call = async (): Promise<Result> => {
      const controller = new AbortController();
      const timer = abortAfter === undefined ? undefined : setTimeout(() => controller.abort(), abortAfter);
      const started = performance.now();
      try {
        const options = {
          timeout,
          maxRetries,
          auth,
          signal: controller.signal,
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        };
        return { payment: await world.client().payments.create({ ...pix, externalId }, options) };
      } catch (error) {
        if (!isPaymentPlatformError(error)) throw error;
        return { error };
      } finally {
        clearTimeout(timer);
        const limit = Math.min(timeout, abortAfter ?? timeout);
        expect(performance.now() - started, 'a promise past its deadline').toBeLessThanOrEqual(
          limit + world.slack,
        );
      }
    };
    // A copy with a generated or missing key would be another payment, so only calls with the caller's key
    // are sent twice.
    const calls = twice && typeof idempotencyKey === 'string' ? [call(), call()] : [call()];
    await world.settled(calls);
    const results = await Promise.all(calls);

    const charges = listCharges();
    expect(charges.length, 'charged twice').toBeLessThanOrEqual(1);
    const isRejected = results.every(
      (result) => 'error' in result && result.error.outcome === 'not-executed',
    );
    if (isRejected && !touched.has(externalId)) untouched.add(externalId);
    else touched.add(externalId);
    for (const result of results) {
      if ('payment' in result) {
        expect(charges.map(({ paymentId }) => paymentId)).toEqual([result.payment.id]);
        expect(responseOf(result.payment).attempts).toBeLessThanOrEqual(mostAttempts);
        continue;
      }
      const { error } = result;
      if (error.outcome === 'unknown' && idempotencyKey !== null) expect(error.idempotencyKey).toBeDefined();
      expect(error.attempts).toBeLessThanOrEqual(mostAttempts);
    }

    const sent = sandbox.journal.requests
      .slice(requestsBefore)
      .filter(({ body }) => isRecord(body) && body.externalId === externalId);
    if (idempotencyKey === null)
      expect(sent.filter(({ idempotencyKey: other }) => other !== undefined)).toEqual([]);
    const identities = new Set(
      sent.map((request) =>
        [request.method, request.path, request.idempotencyKey, request.bodyDigest].join(),
      ),
    );
    expect(identities.size, 'attempts that differ').toBeLessThanOrEqual(1);
    lastKey = sent.at(-1)?.idempotencyKey ?? lastKey;
  }
  await world.arrived();
  hits += sandbox.journal.requests.filter((request) => request.fault !== undefined).length;
  hits += world.connections.lost;
  for (const one of withdrawn) judge(sandbox, one);
  for (const { externalReference = '' } of sandbox.ledger.charges) {
    expect(untouched.has(externalReference) && !touched.has(externalReference), 'a false not-executed').toBe(
      false,
    );
  }
  for (const { idempotencyKey } of sandbox.ledger.charges) {
    if (idempotencyKey !== undefined)
      expect(sandbox.ledger.chargesFor(idempotencyKey).length, 'charged twice').toBe(1);
  }
}

interface Withdrawn {
  readonly amount: number;
  readonly result: CreatedWithdrawal | undefined;
  readonly error: PaymentPlatformError | undefined;
}

/** Makes a write without a key. A unique amount identifies the write. */
async function withdraw(world: World, options: CallOptions): Promise<Withdrawn> {
  const amount = 1 + withdrawals++;
  const [seller] = world.sandbox.control.submerchants.list();
  const call = world
    .client()
    .submerchants.withdrawals.create({ internalId: seller?.internalId, amount }, options)
    .then(
      (result) => ({ result, error: undefined }),
      (error: PaymentPlatformError) => ({ result: undefined, error }),
    );
  await world.settled([call]);
  return { amount, ...(await call) };
}

/** Checks that a withdrawal was made at most once, and never after a not-executed outcome. */
function judge(sandbox: Sandbox, { amount, result, error }: Withdrawn): void {
  const made = sandbox.control.withdrawals.list().filter((record) => record.amount === amount);
  expect(made.length, 'withdrawn twice').toBeLessThanOrEqual(1);
  // The response's shape is undocumented, so a response without a withdraw_id proves nothing.
  if (result?.withdraw_id !== undefined) expect(made, 'a result without a withdrawal').toHaveLength(1);
  if (error?.outcome === 'not-executed') expect(made, 'a false not-executed').toEqual([]);
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The platform had no payment to resolve.
  }
}

/** Creates a sandbox for the steps, with a seller for payouts and without rate limits. */
async function sandboxFor(steps: readonly Step[], options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = createSandbox({ ...options, rateLimits: false });
  if (steps.some(({ what }) => what === 'withdrawal'))
    await new PaymentPlatform(sandbox.clientOptions()).submerchants.create({ documentNumber: '12345678909' });
  return sandbox;
}

const parameters = (numRuns: number) => ({ numRuns: runs(numRuns), seed });

beforeAll(async () => {
  // A process's first call loads modules in real time, which virtual time does not advance.
  await new PaymentPlatform(createSandbox().clientOptions()).payments.create(pix);
});

describe('in process, on the ky engine, in virtual time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => {
    expect(hits, 'faults that hit a request').toBeGreaterThanOrEqual(900);
  });

  test('no key is charged twice, no charge is reported as not-executed, and every call ends in time', {
    timeout: 300_000 * load,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const sandbox = await sandboxFor(steps, { now: '2026-01-01T00:00:00Z' });
        const connections = new Connections();
        const { fetch, ...options } = sandbox.clientOptions();
        const platform = new PaymentPlatform({ ...options, fetch: connections.fetch(fetch) });
        await run(
          {
            sandbox,
            connections,
            client: () => platform,
            settled: async (calls) => {
              let open = calls.length;
              for (const call of calls) call.finally(() => open--).catch(() => undefined);
              while (open > 0) await vi.advanceTimersByTimeAsync(25);
            },
            arrived: async () => undefined,
            slack: 0,
            staleResends: 0,
          },
          steps,
        );
        await sandbox.close();
        // A token request can outlive the call that started it, up to the token request's own deadline.
        await vi.advanceTimersByTimeAsync(31_000);
        expect(vi.getTimerCount(), 'timers left').toBe(0);
      }),
      parameters(300),
    );
  });
});

describe.each(['node', 'ky'] as const)('over sockets, on the %s engine, in real time', (engine) => {
  test('no order is charged twice, and no call outlives its deadline', {
    timeout: 300_000 * load,
  }, async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.01);
    const before = hits;
    let lost = 0;
    const short: fc.Arbitrary<Step> = step.map((one) => ({
      ...one,
      timeout: 60,
      faults: one.faults.map((rule) => ({ ...rule, delay: 0 })),
    }));
    const property = fc.asyncProperty(fc.array(short, { minLength: 1, maxLength: 3 }), async (steps) => {
      const sandbox = await sandboxFor(steps);
      const server = await sandbox.listen();
      const connections = new Connections();
      const agent = connections.agent();
      const own = engine === 'node' ? { agent } : { fetch: connections.fetch(globalThis.fetch) };
      const platform = new PaymentPlatform({ ...server.clientOptions(), ...own });
      const settled = async (calls: Promise<unknown>[]) => void (await Promise.allSettled(calls));
      const arrived = async () => {
        platform.close();
        agent.destroy();
        await server.close();
      };
      await run(
        { sandbox, connections, client: () => platform, settled, arrived, slack: 10_000, staleResends: 1 },
        steps,
      );
      await sandbox.close();
      lost += connections.lost;
    });
    // On a slow machine more calls end before a fault hits them, so the model runs until enough faults have
    // hit.
    for (let batch = 0; hits - before < 100 || lost < 12; batch++) {
      const { seed, ...rest } = parameters(60);
      await fc.assert(property, { ...rest, seed: seed + batch, endOnFailure: true });
    }
  });
});
