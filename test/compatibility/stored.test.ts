import * as main from 'payment-platform';
import * as durable from 'payment-platform/durable';
import * as sandbox from 'payment-platform/sandbox';
import * as webhooks from 'payment-platform/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { tokenClient } from '../../tools/compatibility/scene.js';
import {
  readStored,
  type Stored,
  type StoredTable,
  storedVersions,
} from '../../tools/compatibility/stored.js';
import { postgresUrl } from '../support/postgres.js';
import { redisUrl } from '../support/redis.js';
import { closedAfterEach } from '../support/resources.js';
import * as checks from './checks.js';
import { restoredPostgres, restoredRedis, restoredSqlite, restoredState, upgradeSqlite } from './restored.js';

const sdk = { main, durable, sandbox, webhooks };
const opens = closedAfterEach();
const closing = (close: () => unknown) => void opens({ close });

const createTokenStore = (values: Stored['sealed']): main.TokenStore => ({
  get: async (name) => values[name],
  set: async () => undefined,
  lock: async () => async () => undefined,
});

test('the repository contains stored test data of the first version and of the next release', () => {
  expect(storedVersions()).toEqual(['0.1.0', '1.0.0-rc.1']);
});

describe.each(storedVersions())('the test data that version %s stored', (version) => {
  const stored = readStored(version);

  test('contains a state file, whose charges the sandbox loads', async () => {
    expect(await checks.chargesAreKept(sdk, restoredState(stored, closing))).toEqual([]);
  });

  test('contains an encrypted token, which the client uses only if it was stored with its secret', async () => {
    expect(await checks.tokenIsKept(sdk, createTokenStore(stored.sealed), version)).toEqual([]);
  });

  test.skipIf(redisUrl === '')(
    'is accepted by redisDedupe, redisTokenStore and redisRateLimitStore (needs REDIS_URL)',
    async () => {
      const { client, prefix } = await restoredRedis(stored, closing);
      expect(await checks.deliveriesAreKept(sdk, webhooks.redisDedupe(client, { prefix }))).toEqual([]);
      const tokens = main.redisTokenStore(client, { prefix });
      expect(await checks.tokenIsKept(sdk, tokens, version)).toEqual([]);
      expect(await checks.limitIsKept(sdk, client, prefix)).toEqual([]);
    },
  );

  test.skipIf(postgresUrl === '')('is accepted by postgresDedupe (needs POSTGRES_URL)', async () => {
    const { pool, table } = await restoredPostgres(stored.deliveries, closing);
    // Merchants can run a migration again.
    await pool.query(webhooks.postgresDedupeSql(table));
    expect(await checks.deliveriesAreKept(sdk, webhooks.postgresDedupe(pool, { table }))).toEqual([]);
  });

  const { postgresPayments, sqlitePayments } = stored;
  // Version 1 had no durable payments.
  if (postgresPayments === undefined || sqlitePayments === undefined) return;

  test.skipIf(postgresUrl === '')('is accepted by postgresPayments (needs POSTGRES_URL)', async () => {
    const { pool, table } = await restoredPostgres(postgresPayments, closing);
    await pool.query(durable.postgresPaymentsSql(table));
    const store = durable.postgresPayments(pool, { table }) as durable.PaymentStore<never>;
    const state = restoredState(stored, closing);
    expect(await checks.recordsAreKept(sdk, store, 'postgres', state)).toEqual([]);
  });

  test('is accepted by sqlitePayments', async () => {
    const { database, table } = restoredSqlite(sqlitePayments, closing);
    database.exec(upgradeSqlite(table) + durable.sqlitePaymentsSql(table));
    const store = durable.sqlitePayments(database, { table }) as durable.PaymentStore<never>;
    const state = restoredState(stored, closing);
    expect(await checks.recordsAreKept(sdk, store, 'sqlite', state)).toEqual([]);
  });
});

describe('the compatibility check', () => {
  const stored = readStored('1.0.0-rc.1');
  const renamed = (table: StoredTable, from: string, to: string): StoredTable => ({
    sql: table.sql.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to),
    rows: table.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name === from ? to : name, value])),
    ),
  });

  test.each([
    ['format', (name: string, text: string) => [name, `v2.${text}`]],
    ['key', (name: string, text: string) => [`other-${name}`, text]],
  ])('reports a stored token that is lost because its %s changed', async (_, change) => {
    const sealed: Record<string, string> = {};
    const store = {
      ...createTokenStore(sealed),
      set: async (name: string, text: string) => void Object.assign(sealed, { [name]: text }),
    };
    await tokenClient(sdk, store).platform.domains.list();
    await vi.waitFor(() => expect(Object.keys(sealed)).toHaveLength(1));
    expect(await checks.tokenIsKept(sdk, createTokenStore(sealed), 'this')).toEqual([]);
    const changed = Object.fromEntries(Object.entries(sealed).map((entry) => change(...entry)));
    expect(await checks.tokenIsKept(sdk, createTokenStore(changed), 'this')).toEqual([
      'The stored token is lost: another one was requested.',
    ]);
  });

  test('reports a state file of another version', async () => {
    const state = readStored('0.1.0').state.replace('"version":1', '"version":2');
    const [problem] = await checks.chargesAreKept(sdk, restoredState({ ...stored, state }, closing));
    expect(problem).toMatch(
      /^The state file is refused: The file .* is of version 2, and this package reads version 1 only\.$/,
    );
  });

  test('reports a state file that lost the idempotency key of a charge', async () => {
    const state = readStored('0.1.0').state.replaceAll('charged-1', 'forgot-1');
    expect(await checks.chargesAreKept(sdk, restoredState({ ...stored, state }, closing))).toContain(
      'The same keys were charged again.',
    );
  });

  test('reports a renamed column of sqlitePayments', async () => {
    const { database, table } = restoredSqlite(
      renamed(stored.sqlitePayments as StoredTable, 'in_doubt', 'doubtful'),
      closing,
    );
    const store = durable.sqlitePayments(database, { table }) as durable.PaymentStore<never>;
    const state = restoredState(stored, closing);
    const [problem] = await checks.recordsAreKept(sdk, store, 'sqlite', state);
    expect(problem).toMatch(/^The recorded payments cannot be read: .*in_doubt/);
  });

  test.skipIf(postgresUrl === '')(
    'reports a renamed column of postgresDedupe (needs POSTGRES_URL)',
    async () => {
      const { pool, table } = await restoredPostgres(renamed(stored.deliveries, 'digest', 'hash'), closing);
      const problems = await checks.deliveriesAreKept(sdk, webhooks.postgresDedupe(pool, { table }));
      expect(problems.join('\n')).toMatch(
        /The event .* was handled, and is \w+ again|cannot be read: .*digest/,
      );
    },
  );

  test.skipIf(redisUrl === '')(
    'reports a renamed key in Redis for redisDedupe (needs REDIS_URL)',
    async () => {
      const redis = stored.redis.map((each) => ({ ...each, key: each.key.replace('delivery:', 'event:') }));
      const { client, prefix } = await restoredRedis({ ...stored, redis }, closing);
      const problems = await checks.deliveriesAreKept(sdk, webhooks.redisDedupe(client, { prefix }));
      expect(problems).toHaveLength(3);
      expect(problems[0]).toMatch(/^The event .* was handled, and is handled again\.$/);
    },
  );
});
