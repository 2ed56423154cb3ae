import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import type { Operation } from '../../../src/contract/operation.js';
import type { Sandbox } from '../../index.js';
import { call, form, keyNo, pay, pix, sandboxForTest, type Target, unknownId } from '../support.js';

let keys = 0;

const create = (target: Target) => {
  keys += 1;
  return call(target, '/v1/submerchants', {
    body: form({ documentNumber: '12345678909' }),
    key: keyNo(keys),
  });
};

const tokenize = (target: Target) =>
  call(target, '/v1/vault/tokenize', { body: { number: '4111111111111111' } });

const statuses = async (count: number, send: () => ReturnType<typeof call>) => {
  const all = [];
  for (let index = 0; index < count; index++) all.push((await send()).status);
  return all;
};

const ok = (count: number) => Array<number>(count).fill(201);

describe('the rate limits of the API docs', () => {
  test('apply by default: 10 changes of sub-accounts and 30 vault tokens a minute', async () => {
    const sandbox = sandboxForTest();
    expect(await statuses(12, () => create(sandbox))).toEqual([...ok(10), 429, 429]);
    expect(await statuses(31, () => tokenize(sandbox))).toEqual([...ok(30), 429]);
    expect((await pay(sandbox, pix())).status).toBe(201);
    expect(sandbox.control.submerchants.list()).toHaveLength(10);
  });

  test('count sub-accounts and onboarding together, including rejected requests', async () => {
    const sandbox = sandboxForTest({ rateLimits: { submerchants: 4 } });
    const group = (operations as readonly Operation[]).filter(
      ({ rateLimit }) => rateLimit === 'submerchants' || rateLimit === 'onboarding',
    );
    expect(group).toHaveLength(4);
    for (const { method, path } of [...group, ...group]) {
      await call(sandbox, path.replace(/\{\w+\}/, unknownId), { method, body: {} });
    }
    expect(sandbox.journal.requests.map(({ status }) => status)).toEqual([
      400, 404, 400, 400, 429, 429, 429, 429,
    ]);
  });

  test('do not count requests without valid credentials', async () => {
    const sandbox = sandboxForTest({ rateLimits: { vault: 1 } });
    const headers = { 'client-secret': 'wrong' };
    const body = { number: '4111111111111111' };
    expect((await call(sandbox, '/v1/vault/tokenize', { body, headers })).status).toBe(401);
    expect((await tokenize(sandbox)).status).toBe(201);
  });
});

test('a 429’s Retry-After is the exact wait in whole seconds', async () => {
  const sandbox = sandboxForTest({ rateLimits: { vault: 2 } });
  const requestToken = async () => {
    const { status, headers, body } = await tokenize(sandbox);
    return [status, headers.get('retry-after'), body.error?.code];
  };
  await tokenize(sandbox);
  await sandbox.clock.advance(20_500);
  await tokenize(sandbox);
  expect(await requestToken()).toEqual([429, '40', 'rate_limited']);
  await sandbox.clock.advance('39s');
  expect(await requestToken()).toEqual([429, '1', 'rate_limited']);
  await sandbox.clock.advance('1s');
  // The window slides, so only one of the two requests still counts.
  expect((await tokenize(sandbox)).status).toBe(201);
  expect(await requestToken()).toEqual([429, '20', 'rate_limited']);
});

describe('a rate limit', () => {
  test('applies to each client id for sub-account requests, even after its secret is rotated', async () => {
    const sandbox = sandboxForTest({ rateLimits: { submerchants: 1 } });
    const other = sandbox.addMerchant();
    expect(await statuses(2, () => create(sandbox))).toEqual([201, 429]);
    expect(await statuses(2, () => create(other))).toEqual([201, 429]);
    sandbox.control.credentials.rotate();
    expect((await create(sandbox)).status).toBe(429);
  });

  test('applies to each IP address for the vault, across all merchants', async () => {
    const sandbox = sandboxForTest({ rateLimits: { vault: 1 } });
    const server = await sandbox.listen();
    expect(await statuses(2, () => tokenize(sandbox))).toEqual([201, 429]);
    expect((await tokenize(sandbox.addMerchant())).status).toBe(429);
    expect(await statuses(2, () => tokenize(server))).toEqual([201, 429]);
  });
});

describe('the option rateLimits', () => {
  const many = (sandbox: Sandbox) => statuses(50, () => tokenize(sandbox));

  test('removes all limits if it is false', async () => {
    expect(await many(sandboxForTest({ rateLimits: false }))).toEqual(ok(50));
  });

  test.each([
    [{}, 10, 0],
    [{ onboarding: 10 }, 10, 10],
    [{ submerchants: 5, onboarding: 10 }, 5, 10],
    [{ submerchants: 5 }, 5, 0],
    [{ submerchants: 5, onboarding: 'submerchants' }, 5, 0],
  ] as const)(
    'with the value %j allows %i sub-account changes and then %i onboardings a minute',
    async (rateLimits, created, onboarded) => {
      const sandbox = sandboxForTest({ rateLimits });
      const onboard = () => call(sandbox, '/v2/submerchants/onboarding/pj', { body: form({}), key: 'one' });
      const accepted = (all: number[]) => all.filter((status) => status !== 429).length;
      expect(accepted(await statuses(12, () => create(sandbox)))).toBe(created);
      expect(accepted(await statuses(12, onboard))).toBe(onboarded);
    },
  );

  test('does not change the limits of groups that it does not name', async () => {
    const sandbox = sandboxForTest({ rateLimits: { submerchants: 5 } });
    expect(await statuses(6, () => create(sandbox))).toEqual([...ok(5), 429]);
    expect((await many(sandbox)).filter((status) => status === 201)).toHaveLength(30);
  });
});
