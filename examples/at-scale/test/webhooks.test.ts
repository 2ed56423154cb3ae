import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deliveries, toBody } from './deliveries.js';
import { closesAfter, missing, size, until } from './engines.js';
import { inboxes, newShop } from './inboxes.js';
import { Processes } from './processes.js';

const orders = size(2_000);
const copies = 3;
const poisoned = 5;

for (const { name, folder, needs, open } of inboxes)
  test(`${name} ships ${orders} orders once each, although their events arrive ${copies} times and processes are killed`, {
    skip: missing(...needs),
  }, async (t) => {
    const after = closesAfter(t);
    const database = await newShop(after, orders);
    const inbox = await open(database, after);
    const receivers = new Processes(`${folder}/receiver.ts`, inbox.env);
    const workers = new Processes(`${folder}/worker.ts`, inbox.env);
    after(() => Promise.all([receivers.close(), workers.close()]));
    await Promise.all([receivers.start(2), workers.start(4)]);

    // The last events belong to no order of this shop, so their jobs fail at every attempt.
    const foreign = Array.from({ length: poisoned }, (_, index) => `foreign-${index}`);
    const bodies = [...Array.from({ length: orders }, (_, index) => `order-${index + 1}`), ...foreign].map(
      toBody,
    );
    const deliveries = new Deliveries(bodies, copies, receivers);

    const state = async () => {
      const { rows } = await database.pool.query('SELECT count(*)::int AS shipped FROM shipments');
      return { ...(await inbox.counts()), shipped: rows[0].shipped as number };
    };
    let seen = 0;
    const pause = 40 + orders / 20;
    await until(async () => {
      const { shipped, completed, failed } = await state();
      if (shipped - seen > pause * (0.3 + Math.random()) && shipped < orders * 0.95) {
        seen = shipped;
        workers.kill();
        if (deliveries.acknowledged < deliveries.all) receivers.kill();
      }
      return deliveries.acknowledged === deliveries.all && completed + failed >= orders + poisoned;
    }, state);
    await deliveries.ended;

    assert.deepEqual(await state(), { completed: orders, failed: poisoned, unfinished: 0, shipped: orders });
    const dead = await inbox.deadLetters();
    assert.deepEqual(dead.map(({ event }) => event.externalReference).sort(), foreign);
    for (const { reason } of dead) assert.match(reason, /foreign key/);
    assert.ok(workers.kills >= orders / 100, `only ${workers.kills} kills`);
    t.diagnostic(
      `${deliveries.all} deliveries, ${orders} jobs, ${workers.kills + receivers.kills} kills, ` +
        `${await inbox.repeated()} jobs run again, ${dead.length} dead letters`,
    );
  });
