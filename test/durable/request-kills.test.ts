import { createDurableOnboarding, createDurableWithdrawals } from 'payment-platform/durable';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { numberOf, requestKeys, uuidOf, withdrawalOf } from '../support/durable-requests.js';
import { createPoints, type KillPoint, runPoints } from '../support/kill-points.js';
import { KillablePayments, sharedDatabases } from '../support/killable-payments.js';
import { runs } from '../support/load.js';
import { pf } from '../support/onboarding.js';
import { atOneAddress } from '../support/payment-place.js';

/** How many processes are killed at each point. */
const rounds = runs(1);

/** In milliseconds. Every process starts Node, which takes a second or two on a busy machine. */
const limit = Math.max(300_000, 5_000 * rounds * (createPoints.length + runPoints.length));

interface Kill {
  readonly does: 'create' | 'run';
  readonly point: KillPoint;
  readonly number: number;
}

const kills: readonly Kill[] = Array.from({ length: rounds })
  .flatMap(() => [
    ...createPoints.map((point) => ({ does: 'create' as const, point })),
    ...runPoints.map((point) => ({ does: 'run' as const, point })),
  ])
  .map((kill, index) => ({ ...kill, number: index + 1 }));

const isRecorded = ({ does, point }: Kill) => does === 'run' || point.name !== 'before insert';

const databases = sharedDatabases.map((database) => [database.name, database] as const);

describe.each(databases)('a process that is killed at each of its steps, with %s', (_, database) => {
  async function start(requests: 'withdrawals' | 'onboarding') {
    const world = await KillablePayments.start(await database.create());
    onTestFinished(() => world.close());
    const opened = await world.table('requests', requests);
    const options = { store: opened.store, encryptionKeys: requestKeys, onInDoubt: () => undefined };
    return { world, opened, options, client: atOneAddress(world.client) };
  }

  test.skipIf(!database.isThere)(
    'sends no withdrawal twice and forgets none, and each one in doubt is decided by a person',
    { timeout: limit },
    async () => {
      const { world, opened, options, client } = await start('withdrawals');
      const { registration_id } = await world.client.onboarding.submitPf(pf);
      world.sandbox.control.onboarding.approve(registration_id);
      const { internalId } = await world.client.onboarding.status(registration_id);
      vi.stubEnv('SELLER', String(internalId));
      onTestFinished(() => void vi.unstubAllEnvs());
      const withdrawals = createDurableWithdrawals(client, options);
      const keyOf = ({ number }: Kill) => `withdrawal ${number}`;
      const made = (key: string) =>
        world.sandbox.control.withdrawals.list().filter(({ amount }) => amount === 1_000 + numberOf(key));
      await world.killRequests(opened, kills, keyOf, (key) =>
        withdrawals.enqueue(withdrawalOf(key), { key }),
      );
      await world.settledRequests(opened, () => withdrawals.list({ limit: 10_000 }));
      // Without a key, no one can tell a withdrawal that does not exist from one that is still on its way.
      await world.deliverLate();

      const records = await withdrawals.list({ limit: 10_000 });
      expect(records.map(({ key }) => key).sort()).toEqual(kills.filter(isRecorded).map(keyOf).sort());
      for (const { key, state, result } of records) {
        const ids = made(key).map(({ withdraw_id }) => withdraw_id);
        expect(ids.length, key).toBeLessThanOrEqual(1);
        if (state === 'settled') expect([result?.withdraw_id], key).toEqual(ids);
        else expect(state, key).toBe('in_doubt');
      }
      expect(records.filter(({ state }) => state === 'settled').length).toBeGreaterThan(0);

      for (const { key, state } of records.filter((record) => record.state === 'in_doubt')) {
        expect(state).toBe('in_doubt');
        const [found] = made(key);
        const id = found === undefined ? undefined : { withdraw_id: found.withdraw_id };
        const decide = id === undefined ? withdrawals.dismiss(key) : withdrawals.confirm(key, id);
        expect(await decide).toBe(true);
        if (found === undefined) expect(await withdrawals.retry(key)).toBe(true);
      }
      for (const kill of kills) await withdrawals.create(withdrawalOf(keyOf(kill)), { key: keyOf(kill) });
      for (const kill of kills) expect(made(keyOf(kill)), keyOf(kill)).toHaveLength(1);
      expect(world.sandbox.control.withdrawals.list()).toHaveLength(kills.length);
    },
  );

  test.skipIf(!database.isThere)(
    'registers each recorded seller exactly once, without a person',
    { timeout: limit },
    async () => {
      const { world, opened, options, client } = await start('onboarding');
      const onboarding = createDurableOnboarding(client, options);
      const keyOf = ({ number }: Kill) => uuidOf(number);
      await world.killRequests(opened, kills, keyOf, (key) => onboarding.enqueuePf(pf, { key }));
      await world.settledRequests(opened, () => onboarding.list({ limit: 10_000 }));
      const records = await onboarding.list({ limit: 10_000 });
      expect(records.map(({ key }) => key).sort()).toEqual(kills.filter(isRecorded).map(keyOf).sort());
      expect(records.filter(({ state }) => state !== 'settled')).toEqual([]);
      for (const kill of kills) await onboarding.submitPf(pf, { key: keyOf(kill) });
      const registered = world.sandbox.control.onboarding.list().map((one) => one.registration_id);
      const recorded = (await onboarding.list({ limit: 10_000 })).map(
        ({ result }) => result?.registration_id,
      );
      expect(registered.sort()).toEqual(recorded.sort());
      expect(registered).toHaveLength(kills.length);
    },
  );
});
