import { describe, expect, onTestFinished, test } from 'vitest';
import { computeMerchant } from '../../src/durable/merchant-store.js';
import { createPoints, enqueuePoints, runPoints, transactionPoints } from '../support/kill-points.js';
import { KillablePayments, sharedDatabases } from '../support/killable-payments.js';
import { atOneAddress } from '../support/payment-place.js';
import { pix } from '../support/payments.js';

/** The state of a point's two payments when workers resume after the kill. */
const conditions = [
  { name: 'for the first time', isClaimed: false },
  { name: 'after a killed process had claimed it', isClaimed: true },
] as const;

const databases = sharedDatabases.map((database) => [database.name, database] as const);

describe.each(databases)(
  'a process that is killed at each of its steps in turn, with %s',
  (_, { isThere, create }) => {
    async function start() {
      const world = await KillablePayments.start(await create());
      onTestFinished(() => world.close());
      return world;
    }

    test.skipIf(!isThere)(
      'leaves exactly one charge for each payment from create, even with two workers',
      async () => {
        const world = await start();
        const table = await world.table('payments');
        const lost = 'before insert';
        world.startWorkers(table);
        await world.killEach(createPoints, (point) =>
          world.kill({ does: 'create', place: table.place, key: point.name }, point),
        );
        await world.settled(table);
        const names = createPoints.map(({ name }) => name);
        expect(await world.judge(table)).toEqual(names.filter((name) => name !== lost).sort());
        expect(world.sandbox.ledger.chargesFor(lost)).toEqual([]);
        await world.createAgain(table, names);
        expect(world.sandbox.ledger.charges).toHaveLength(names.length);
      },
    );

    test.skipIf(!isThere)(
      'leaves exactly one charge for each payment from enqueue, even with two workers',
      async () => {
        const world = await start();
        const table = await world.table('payments');
        const kills = [
          ...enqueuePoints.map((point) => ({ does: 'enqueue' as const, point })),
          ...transactionPoints.map((point) => ({ does: 'enqueue in a transaction' as const, point })),
        ].map((kill) => ({ ...kill, key: `${kill.does}, ${kill.point.name}` }));
        world.startWorkers(table);
        await world.killEach(kills, ({ does, key, point }) =>
          world.kill({ does, place: table.place, key }, point),
        );
        await world.settled(table);
        expect(await world.judge(table)).toEqual([
          'enqueue in a transaction, after COMMIT',
          'enqueue, after insert',
        ]);
        expect(world.sandbox.ledger.charges).toHaveLength(2);
        const keys = kills.map(({ key }) => key);
        await world.createAgain(table, keys);
        expect(world.sandbox.ledger.charges).toHaveLength(keys.length);
      },
    );

    test.skipIf(!isThere).each(conditions.map((condition) => [condition.name, condition] as const))(
      'leaves exactly one charge for each payment that two workers claim %s',
      async (_, { isClaimed }) => {
        const world = await start();
        const tables = await Promise.all(
          runPoints.map(async (point, index) => ({ point, table: await world.table(`payments_${index}`) })),
        );
        const listKeys = (name: string) => [1, 2].map((number) => `${name}, ${number}`);
        for (const { point, table } of tables)
          for (const [index, key] of listKeys(point.name).entries()) {
            await table.payments.enqueue(pix, { key });
            if (isClaimed)
              await table.store.claim({
                merchant: await computeMerchant(atOneAddress(world.client).merchant),
                key,
                lease: 1,
                limit: 1,
                version: 1,
              });
            if (isClaimed && index === 1) await world.client.payments.create(pix, { idempotencyKey: key });
          }
        await world.killEach(tables, async ({ point, table }) => {
          const { place } = table;
          await Promise.all(
            listKeys(point.name).map((key) => world.kill({ does: 'run', place, key }, point)),
          );
          world.startWorkers(table);
        });
        for (const { point, table } of tables) {
          await world.settled(table);
          expect(await world.judge(table)).toEqual(listKeys(point.name));
          await world.createAgain(table, listKeys(point.name));
        }
        expect(world.sandbox.ledger.charges).toHaveLength(2 * runPoints.length);
      },
    );
  },
);
