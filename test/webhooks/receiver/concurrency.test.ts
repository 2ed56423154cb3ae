import { randomUUID } from 'node:crypto';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import {
  createReceiver,
  type EventHandler,
  postgresDedupe,
  postgresDedupeSql,
  type ReceiverOptions,
  sign,
  type WebhookEvent,
} from 'payment-platform/webhooks';
import type { PoolClient } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';

const secret = 'whsec_0123456789abcdef';

const createDelivery = (event: object) => {
  const body = JSON.stringify({ event: 'transaction.paid', id: randomUUID(), ...event });
  return { body, headers: sign({ body, secret }) };
};

/** Creates a receiver whose handlers wait until the test releases them. */
function waiting(options: Partial<ReceiverOptions>) {
  const running: (() => void)[] = [];
  let most = 0;
  const handler = () =>
    new Promise<void>((resolve) => {
      running.push(resolve);
      most = Math.max(most, running.length);
    });
  const onError = vi.fn();
  const receiver = createReceiver({ secret, on: { 'transaction.paid': handler }, onError, ...options });
  const end = () => running.shift()?.();
  return { receiver, onError, running, end, most: () => most };
}

describe('a receiver’s option concurrency', () => {
  test('limits how many deliveries are handled at the same time, and all of them are handled', async () => {
    const { receiver, running, end, most } = waiting({ concurrency: 2 });
    const results = Promise.all(Array.from({ length: 7 }, () => receiver.receive(createDelivery({}))));
    for (let ended = 0; ended < 7; ended++) {
      await eventually(() => expect(running).toHaveLength(Math.min(2, 7 - ended)));
      end();
    }
    expect((await results).map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(most()).toBe(2);
  });

  test('causes a 503 for a delivery that waits too long for its turn, and calls onError', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { receiver, onError, running, end } = waiting({ concurrency: 1, timestamp: () => 0, now: () => 0 });
    const first = receiver.receive(createDelivery({}));
    await eventually(() => expect(running).toHaveLength(1));
    const second = receiver.receive(createDelivery({}));
    await vi.advanceTimersByTimeAsync(25_000);
    expect([(await first).outcome, (await second).outcome]).toEqual(['timed-out', 'timed-out']);
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual([
      'The delivery was not handled in time, because others ran. Raise concurrency, or lower it below the size of the pool that handlers wait for.',
    ]);
    // The first delivery's handler continues, and keeps its slot until it ends.
    const third = receiver.receive(createDelivery({}));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(running).toHaveLength(1);
    end();
    await eventually(() => expect(running).toHaveLength(1));
    end();
    expect((await third).outcome).toBe('handled');
  });

  test('still allows later deliveries to be handled after a handler that never ends', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { receiver, running } = waiting({ concurrency: 1, timestamp: () => 0, now: () => 0 });
    const first = receiver.receive(createDelivery({}));
    await vi.advanceTimersByTimeAsync(25_000);
    expect((await first).status).toBe(503);
    const next = receiver.receive(createDelivery({}));
    await vi.advanceTimersByTimeAsync(24_999);
    expect(running).toHaveLength(1);
    const afterNext = receiver.receive(createDelivery({}));
    await vi.advanceTimersByTimeAsync(1);
    expect(running).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(25_000);
    await Promise.all([next, afterNext]);
  });

  test('still allows later deliveries to be handled after handlers that throw', async () => {
    const on = { 'transaction.paid': () => Promise.reject(new Error('the shop is down')) };
    const receiver = createReceiver({ secret, on, concurrency: 1, onError: () => undefined });
    for (let index = 0; index < 3; index++)
      expect((await receiver.receive(createDelivery({}))).outcome).toBe('failed');
  });

  test.each([0, -1, 1.5, '8', null])('cannot be %j', (concurrency) => {
    expect(() => createReceiver({ secret, concurrency: concurrency as never })).toThrow(
      'concurrency must be',
    );
  });
});

describe.skipIf(postgresUrl === '')(
  '100 parallel deliveries over a pool of 10 connections (needs POSTGRES_URL)',
  () => {
    async function shop() {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const { pool, close } = postgresPool({ max: 10 });
      onTestFinished(() => close().then(removeSchema));
      const [table, deliveries] = [`${schema}.payments`, `${schema}.deliveries`];
      await pool.query(`${postgresPaymentsSql(table)}${postgresDedupeSql(deliveries)}
CREATE TABLE ${schema}.shipped (id text PRIMARY KEY)`);
      const platform = new PaymentPlatform({
        baseUrl: 'http://127.0.0.1:1',
        clientId: 'client-id-1042',
        clientSecret: 'client-secret-1042',
      });
      const store = postgresPayments(pool, { table });
      const payments = createDurablePayments(platform, { store });
      const ship = (client: PoolClient, id: unknown) =>
        client.query(`INSERT INTO ${schema}.shipped VALUES ($1)`, [id]);
      const receive = (handler: EventHandler<WebhookEvent, PoolClient>, options: object = {}) => {
        const onError = vi.fn();
        const dedupe = postgresDedupe<PoolClient>(pool, { table: deliveries, transaction: true });
        const on = { 'transaction.paid': handler };
        // A slow machine needs more than the default 25 seconds for a thousand deliveries.
        const patient = { handlerTimeout: 120_000, lease: 240_000 };
        const receiver = createReceiver<PoolClient>({ secret, dedupe, on, onError, ...patient, ...options });
        return { receiver, onError };
      };
      const shipped = async () =>
        Number((await pool.query(`SELECT count(*) FROM ${schema}.shipped`)).rows[0]?.count);
      return { pool, payments, receive, ship, shipped };
    }

    const events = (count = 100) =>
      Array.from({ length: count }, () => createDelivery({ amount: 1990, externalReference: randomUUID() }));

    test('are each handled once if the handler calls payments.observe in its transaction', async () => {
      const { pool, payments, receive, ship, shipped } = await shop();
      const { receiver, onError } = receive(async (event, { transaction }) => {
        await payments.observe(event, { client: transaction });
        await ship(transaction, event.id);
      });
      let isDone = false;
      const others = (async () => {
        let queries = 0;
        for (; !isDone; queries++) await pool.query('SELECT 1');
        return queries;
      })();
      const results = await Promise.all(events().map((delivery) => receiver.receive(delivery)));
      isDone = true;
      expect(results.map(({ outcome }) => outcome)).toEqual(Array(100).fill('handled'));
      expect(await shipped()).toBe(100);
      expect(onError).not.toHaveBeenCalled();
      // The loop runs one query at a time, so the count shows how often it found a free connection.
      expect(await others).toBeGreaterThan(10);
    });

    test('are each handled once with concurrency: 8, even if 200 arrive', async () => {
      const { receive, ship, shipped } = await shop();
      let running = 0;
      let most = 0;
      const { receiver, onError } = receive(
        async (event, { transaction }) => {
          most = Math.max(most, ++running);
          await ship(transaction, event.id);
          running--;
        },
        { concurrency: 8 },
      );
      const results = await Promise.all(events(200).map((delivery) => receiver.receive(delivery)));
      expect(results.map(({ outcome }) => outcome)).toEqual(Array(200).fill('handled'));
      expect(await shipped()).toBe(200);
      expect(most).toBeLessThanOrEqual(8);
      expect(onError).not.toHaveBeenCalled();
    });

    test('are handled even if the handler takes a second connection from that pool', async () => {
      const { payments, receive, ship, shipped } = await shop();
      const { receiver, onError } = receive(async (event, { transaction }) => {
        await payments.observe(event);
        await ship(transaction, event.id);
      });
      const results = await Promise.all(events().map((delivery) => receiver.receive(delivery)));
      expect(results.map(({ outcome }) => outcome)).toEqual(Array(100).fill('handled'));
      expect(await shipped()).toBe(100);
      expect(onError).not.toHaveBeenCalled();
    });

    test('cause an error about the pool if none of its connections becomes free in time', async () => {
      const { payments, receive, pool } = await shop();
      const { receiver, onError } = receive(
        async (event) => {
          await payments.observe(event);
        },
        { concurrency: 100, handlerTimeout: 8_000 },
      );
      const borrowed = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
      expect((await receiver.receive(createDelivery({}))).outcome).toBe('unavailable');
      for (const client of borrowed) client.release();
      expect(onError.mock.calls[0]?.[0]).toMatchObject({
        message:
          "All connections of the pool are in use (max 10), and none became free in time. Raise max, or lower the receiver's concurrency.",
      });
    });

    test('cause an error that names postgresDedupeSql if the table is missing', async () => {
      const { pool } = await shop();
      const onError = vi.fn();
      const dedupe = postgresDedupe(pool, { table: 'missing_deliveries' });
      const receiver = createReceiver({
        secret,
        dedupe,
        on: { 'transaction.paid': () => undefined },
        onError,
      });
      expect((await receiver.receive(createDelivery({}))).outcome).toBe('unavailable');
      expect(onError.mock.calls[0]?.[0]).toMatchObject({
        code: '42P01',
        message: expect.stringContaining("run the SQL of postgresDedupeSql('missing_deliveries') once."),
      });
    });
  },
);
