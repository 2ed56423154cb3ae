import { createReceiver, postgresDedupe, postgresDedupeSql, sign } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresSchema, postgresUrl } from '../../support/postgres.js';
import { orms } from './orms.js';

const secret = 'whsec_0123456789abcdef';
const body = JSON.stringify({ event: 'transaction.paid', id: 'p-1', status: 'paid' });

describe.skipIf(postgresUrl === '')('the option transaction of postgresDedupe (needs POSTGRES_URL)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.deliveries`;
  const pool = new Pool({ connectionString: postgresUrl });
  beforeAll(async () => {
    await createSchema();
    await pool.query(postgresDedupeSql(table));
  });
  afterAll(() => pool.end().then(removeSchema));

  /** Delivers a notification to a receiver with a wrong `transaction`. @returns the error that `onError` receives */
  async function findReason(transaction: (work: (client: unknown) => Promise<void>) => unknown) {
    const onError = vi.fn();
    const handler = vi.fn();
    const receiver = createReceiver({
      secret,
      dedupe: postgresDedupe(pool, { table, transaction: transaction as never }),
      on: { 'transaction.paid': handler },
      onError,
    });
    const { outcome } = await receiver.receive({ body, headers: sign({ body, secret }) });
    expect(outcome).toBe('unavailable');
    expect(handler).not.toHaveBeenCalled();
    return onError.mock.calls[0]?.[0].message;
  }

  test.each(Object.entries(orms))(
    'leaves no transaction of %s open if it does not return the promise of that transaction',
    async (_, connect) => {
      const orm = await connect(postgresUrl);
      onTestFinished(() => orm.close() as Promise<void>);
      let lost: Promise<unknown> | undefined;
      const reason = await findReason((work) => {
        lost = orm.transaction((client) => work(client)) as Promise<unknown>;
      });
      expect(reason).toMatch(/^The option transaction opened no transaction, or ended it before/);
      // The library settles the promise when the transaction has ended.
      await Promise.allSettled([lost]);
    },
  );

  test.each(Object.entries(orms))(
    'leaves no transaction of %s open if it rejects before its work is called',
    async (_, connect) => {
      const orm = await connect(postgresUrl);
      onTestFinished(() => orm.close() as Promise<void>);
      let lost: Promise<unknown> | undefined;
      let callWork: () => void = () => undefined;
      const isReported = new Promise<void>((resolve) => {
        callWork = resolve;
      });
      const reason = await findReason((work) => {
        lost = orm.transaction(async (client) => {
          await isReported;
          await work(client);
        }) as Promise<unknown>;
        return Promise.reject(new Error('too slow'));
      });
      expect(reason).toBe('too slow');
      callWork();
      await Promise.allSettled([lost]);
    },
  );

  test.each([undefined, {}])('is named in the error if it passes %j to the work', async (client) => {
    expect(await findReason((work) => work(client))).toBe(
      'The option transaction passed no transaction to its work. Pass (work) => db.transaction(work).',
    );
  });

  test('is named in the error if it is a method without its object', async () => {
    const database = {
      begin: () => undefined,
      transaction() {
        return this.begin();
      },
    };
    expect(await findReason(database.transaction)).toMatch(
      /^The option transaction threw: Cannot read properties of undefined .*\. Pass \(work\) => db\.transaction\(work\)\.$/,
    );
  });

  test('has its TypeError quoted without the password of a URL', async () => {
    const reason = await findReason(async () => {
      await fetch('https://u:hunter2@h.example/');
    });
    expect(reason).toMatch(
      /^The option transaction threw: .*\[redacted\].*\. Pass \(work\) => db\.transaction/,
    );
    expect(reason).not.toContain('hunter2');
  });

  test("must not be a library's root object", () => {
    const sql = postgres(postgresUrl, { max: 1 });
    expect(() => postgresDedupe(sql, { transaction: sql as never })).toThrow(
      'transaction must be true, false or a function such as (work) => db.transaction(work)',
    );
  });
});
