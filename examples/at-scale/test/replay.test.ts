import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, toBody, toDeliveryId } from './deliveries.js';
import { closesAfter, missing, until } from './engines.js';
import { inboxes, newShop } from './inboxes.js';
import { Processes, run } from './processes.js';

const orders = 6;

for (const { name, folder, needs, open } of inboxes)
  test(`${name} replays one event, dead letters and the events of a day, and ships each order once`, {
    skip: missing(...needs),
  }, async (t) => {
    const after = closesAfter(t);
    const { pool, ...database } = await newShop(after, orders);
    const inbox = await open({ pool, ...database }, after);
    const receivers = new Processes(`${folder}/receiver.ts`, inbox.env);
    const workers = new Processes(`${folder}/worker.ts`, inbox.env);
    after(() => Promise.all([receivers.close(), workers.close()]));
    const replay = async (...args: string[]) => {
      const { output, code } = await run(
        `${folder}/replay.ts`,
        { ...inbox.env, TZ: 'America/Sao_Paulo' },
        ...args,
      );
      assert.equal(code, 0);
      return output;
    };
    const ended = (completed: number, failed: number) =>
      until(async () => {
        const counts = await inbox.counts();
        return counts.unfinished === 0 && counts.completed === completed && counts.failed === failed;
      }, inbox.counts);
    const shipped = async () => {
      const { rows } = await pool.query<{ id: string }>(
        'SELECT order_id AS id FROM shipments ORDER BY order_id',
      );
      return rows.map(({ id }) => id);
    };
    /** Loses all shipments, as a faulty handler would. */
    const loseShipments = () => pool.query('DELETE FROM shipments');

    const names = Array.from({ length: orders }, (_, index) => `order-${index + 1}`);
    const bodies = names.map(toBody);
    const ids = bodies.map(toDeliveryId);
    const [first = '', , third = ''] = ids;
    const foreign = toBody('order-later');
    await receivers.start(1);
    const deliverUntilAcknowledged = (body: string) =>
      until(() => deliver(body, receivers.anyOf()), inbox.counts);
    for (const body of [...bodies, foreign]) await deliverUntilAcknowledged(body);

    assert.match(await replay('event', first), /^Nothing was replayed: .* is still waiting/);
    assert.match(
      await replay('event', 'of-nobody'),
      /^Nothing was replayed: the queue has no event of-nobody/,
    );
    assert.equal(await replay('dead-letters'), 'Failed events that are replayed: 0.');

    await workers.start(1);
    await ended(orders, 1);
    assert.deepEqual(await shipped(), names);

    // A duplicate of a finished event adds no job. A replay runs the job again.
    await loseShipments();
    await deliverUntilAcknowledged(bodies[0] ?? '');
    assert.equal(await replay('event', third), `The event is replayed: ${third}`);
    await ended(orders, 1);
    assert.deepEqual(await shipped(), ['order-3']);

    // The replay of a dead letter that fails again leaves one dead letter.
    const list = `Dead letters: 1\n${toDeliveryId(foreign)}  `;
    assert.ok((await replay('list')).startsWith(list));
    assert.equal(await replay('dead-letters'), 'Failed events that are replayed: 1.');
    await ended(orders, 1);
    assert.ok((await replay('list')).startsWith(list));
    await pool.query("INSERT INTO orders (id) VALUES ('order-later')");
    assert.equal(await replay('dead-letters'), 'Failed events that are replayed: 1.');
    await ended(orders + 1, 0);
    assert.deepEqual(await shipped(), ['order-3', 'order-later']);
    await until(async () => (await inbox.deadLetters()).length === 0, inbox.deadLetters);

    // A day ends at midnight in São Paulo, three hours after midnight in UTC.
    const times = ['2026-03-17T12:00Z', '2026-03-18T02:59Z', '2026-03-18T03:00Z', '2026-03-19T02:59Z'];
    for (const [index, time] of times.entries()) await inbox.setTime(ids[index] ?? '', new Date(time));
    await loseShipments();
    assert.equal(
      await replay('day', '2026-03-18'),
      'Events that are replayed: 2. They arrived from 2026-03-18T03:00:00.000Z to 2026-03-19T03:00:00.000Z.',
    );
    await ended(orders + 1, 0);
    assert.deepEqual(await shipped(), ['order-3', 'order-4']);
    await loseShipments();
    assert.match(await replay('day', '2026-03-16'), /^Events that are replayed: 0\./);
    assert.match(await replay('day', '2026-03-17'), /^Events that are replayed: 2\./);
    await ended(orders + 1, 0);
    assert.deepEqual(await shipped(), ['order-1', 'order-2']);

    // A replay that is killed can be repeated.
    for (const id of ids) await inbox.setTime(id, new Date('2026-03-20T12:00Z'));
    await loseShipments();
    let killed = 0;
    for (const step of [1, 2, 3, 4, 7, 10, 13, 16, 19, 22, 25]) {
      const env = { ...inbox.env, DIE_AT: String(step), DIE_FROM_START: '1' };
      if ((await run(`${folder}/replay.ts`, env, 'day', '2026-03-20')).code === undefined) killed++;
    }
    assert.match(await replay('day', '2026-03-20'), /^Events that are replayed: \d+\./);
    await ended(orders + 1, 0);
    assert.deepEqual(await shipped(), names);
    assert.ok(killed >= 2, `only ${killed} replays were killed`);
    t.diagnostic(`killed ${killed} replays`);
  });
