import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createDurableOnboarding,
  createDurablePayments,
  createDurableWithdrawals,
  type PaymentStore,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from '../../../src/durable/index.js';
import { PaymentPlatform } from '../../../src/index.js';
import { pf } from '../../../test/support/onboarding.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../../test/support/postgres.js';
import { sandboxForTest } from '../support.js';
import { printTables, tableColumns } from './durable-tables.js';
import { builtCommand, Running, run } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

interface Opened {
  readonly url: string;
  readonly table: string;
  readonly store: PaymentStore<never>;
}

/** Opens a SQLite file with an empty table. */
async function openSqlite(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  const url = join(folder, 'shop.db');
  const database = new Database(url);
  database.exec(sqlitePaymentsSql());
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  return { url, table: 'payment_platform_payments', store: sqlitePayments(database) };
}

/** Opens a schema of PostgreSQL with an empty table. */
async function openPostgres(): Promise<Opened> {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.payments`;
  await createSchema();
  const { pool, close } = postgresPool();
  await pool.query(postgresPaymentsSql(table));
  onTestFinished(() => close().then(removeSchema));
  return { url: postgresUrl, table, store: postgresPayments(pool, { table }) };
}

/** Starts a sandbox and a shop with recorded payments, and returns a function that runs the command. */
async function openShop(open: () => Promise<Opened>) {
  const sandbox = sandboxForTest({ now: undefined });
  const server = await sandbox.listen();
  const { baseUrl, clientId, clientSecret } = server.clientOptions() as Record<string, string>;
  const credentials = { baseUrl, clientId, clientSecret } as never;
  const { url, table, store } = await open();
  const platform = new PaymentPlatform({ ...(credentials as object), maxRetries: 0 });
  onTestFinished(() => platform.close());
  const payments = createDurablePayments(platform, { store, onError: () => undefined });
  const env = {
    PAYMENT_PLATFORM_BASE_URL: String(baseUrl),
    PAYMENT_PLATFORM_CLIENT_ID: String(clientId),
    PAYMENT_PLATFORM_CLIENT_SECRET: String(clientSecret),
    DATABASE_URL: url,
  };
  const durable = (args: string[], other: Record<string, string> = {}) =>
    run(command, ['durable', ...args, ...(args[0] === 'tables' ? [] : ['--table', table])], {
      env: { ...env, ...other },
    });
  const enqueue = (key: string) =>
    payments.enqueue(
      {
        amount: 4990,
        paymentMethod: 'pix',
        customer: {
          name: 'Ana Canary',
          document: { type: 'cpf', number: '52998224725' },
          email: 'canary@example.com',
        },
        items: [{ title: 'Café', quantity: 1, unitPrice: 4990 }],
      },
      { key },
    );
  const withdrawals = createDurableWithdrawals(platform, {
    store,
    encryptionKeys: Buffer.alloc(32, 7),
    onError: () => undefined,
  });
  return { sandbox, platform, store, payments, withdrawals, durable, enqueue, env };
}

describe.each([
  ['SQLite', true, openSqlite],
  ['PostgreSQL (needs POSTGRES_URL)', postgresUrl !== '', openPostgres],
] as const)('durable over %s', (_, isThere, open) => {
  describe.skipIf(!isThere)('with recorded payments', () => {
    test('counts, lists and shows them without the customer’s data', async () => {
      const { durable, enqueue } = await openShop(open);
      expect(await durable(['counts'])).toMatchObject({
        code: 0,
        stdout: 'No record is open, failed or given up.\n',
      });
      await enqueue('order-1');
      await enqueue('order-2');
      const counts = await durable(['counts', '--json']);
      expect(JSON.parse(counts.stdout)).toMatchObject([{ state: 'recorded', count: 2 }]);
      expect((await durable(['counts'])).stdout).toContain('not executed, is sent when it is due');
      const listed = await durable(['list', '--state', 'recorded', '--limit', '1']);
      expect(listed.stdout).toContain('order-1');
      expect(listed.stdout).toContain('--after order-1');
      expect((await durable(['list', '--older-than', '1h', '--json'])).stdout).toBe('[]\n');
      const shown = await durable(['show', 'order-1']);
      expect(shown).toMatchObject({ code: 0, stderr: '' });
      expect(shown.stdout).toContain('wait, or settle it now');
      expect(`${listed.stdout}${shown.stdout}`.toLowerCase()).not.toContain('canary');
    });

    test('shows a record’s request only with --show-payload, without a token or the bytes of a file', async () => {
      const { durable, payments, platform, store } = await openShop(open);
      const encryptionKeys = Buffer.alloc(32, 7);
      const sellerKey = crypto.randomUUID();
      await payments.enqueue(
        {
          amount: 4990,
          paymentMethod: 'credit_card',
          card: { cardTokenId: 'tok_secret' },
          items: [{ title: 'Ana Canary', quantity: 1, unitPrice: 4990 }],
        } as never,
        { key: 'order-1' },
      );
      await createDurableOnboarding(platform, { store, encryptionKeys }).enqueuePf(pf, { key: sellerKey });
      const payment = await durable(['show', 'order-1', '--show-payload']);
      expect(payment.stdout).toContain('"title": "Ana Canary"');
      expect(payment.stdout).not.toContain('tok_secret');
      const keys = { PAYMENT_PLATFORM_ENCRYPTION_KEYS: encryptionKeys.toString('base64') };
      const show = ['show', sellerKey, '--of', 'onboarding'];
      const seller = JSON.parse((await durable([...show, '--show-payload', '--json'], keys)).stdout);
      expect(seller.payload).toMatchObject({ fullName: pf.fullName, selfie: { size: expect.any(Number) } });
      expect(JSON.parse((await durable([...show, '--json'], keys)).stdout)).not.toHaveProperty('payload');
    });

    test('settles one with a single charge, and first explains the effect', async () => {
      const { durable, enqueue, sandbox } = await openShop(open);
      await enqueue('order-1');
      const asked = await durable(['settle', 'order-1']);
      expect(asked).toMatchObject({ code: 2, stdout: '' });
      expect(asked.stderr).toContain('Nothing was executed yet. The platform creates the payment now');
      expect(asked.stderr).toContain('--yes');
      const dry = await durable(['settle', 'order-1', '--dry-run']);
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed') });
      expect(sandbox.ledger.charges).toHaveLength(0);
      const settled = await durable(['settle', 'order-1', '--yes', '--json']);
      expect(settled.code).toBe(0);
      expect(JSON.parse(settled.stdout)).toMatchObject({
        state: 'settled',
        payment: { amount: 4990, paymentMethod: 'pix' },
      });
      expect(await durable(['settle', 'order-1', '--yes'])).toMatchObject({ code: 5 });
      const refreshed = await durable(['refresh', 'order-1', '--yes', '--json']);
      expect(JSON.parse(refreshed.stdout)).toMatchObject({ state: 'settled' });
      const plan = await durable(['refresh', 'order-1', '--dry-run']);
      expect(plan.stdout).toContain('sends order-1 again with its recorded key');
      expect(sandbox.ledger.charges).toHaveLength(1);
    });

    test('refresh says beforehand whether a request that only a webhook settled can charge the customer', async () => {
      const { durable, enqueue, payments } = await openShop(open);
      await enqueue('order-1');
      await payments.observe({
        event: 'transaction.paid',
        id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
        status: 'paid',
        amount: 4990,
        paymentMethod: 'pix',
        externalReference: 'order-1',
      });
      const plan = async (...args: string[]) =>
        (await durable(['refresh', 'order-1', '--dry-run', ...args])).stdout;
      expect(await plan()).toContain(
        'The platform may not know order-1. Nothing is sent without --may-charge',
      );
      expect(await plan('--may-charge')).toContain('it charges the customer now');
    });

    test('does not blame the database if the platform cannot be reached', async () => {
      const { durable, enqueue, sandbox } = await openShop(open);
      await enqueue('order-1');
      await durable(['settle', 'order-1', '--yes']);
      sandbox.faults.add({ operation: 'payments.create', fault: 'reset', times: 100 });
      const refreshed = await durable(['refresh', 'order-1', '--yes']);
      expect(refreshed).toMatchObject({ code: 3, stdout: '' });
      expect(refreshed.stderr).not.toContain('The database');
    });

    test('cancels and reopens one', async () => {
      const { durable, enqueue, payments } = await openShop(open);
      await enqueue('order-1');
      expect(await durable(['cancel', 'order-1', '--yes'])).toMatchObject({ code: 0 });
      expect(await payments.find('order-1')).toMatchObject({ state: 'failed' });
      expect(await durable(['retry', 'order-1', '--yes'])).toMatchObject({ code: 0 });
      expect(await payments.find('order-1')).toMatchObject({ state: 'recorded' });
    });

    test('confirms one withdrawal in doubt, dismisses another, and sends neither again on its own', async () => {
      const { durable, withdrawals, sandbox, platform, enqueue } = await openShop(open);
      await enqueue('w-1');
      const { registration_id } = await platform.onboarding.submitPf(pf);
      sandbox.control.onboarding.approve(registration_id);
      const { internalId } = await platform.onboarding.status(registration_id);
      const operation = 'submerchants.withdrawals.create';
      sandbox.faults.add({ operation, phase: 'after-commit', fault: 'reset' });
      await withdrawals.create({ internalId, amount: 101 }, { key: 'w-1' }).catch(() => undefined);
      sandbox.faults.add({ operation, fault: 'reset' });
      await withdrawals.create({ internalId, amount: 102 }, { key: 'w-2' }).catch(() => undefined);
      const keys = { PAYMENT_PLATFORM_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64') };
      const of = (...args: string[]) => durable([...args, '--of', 'withdrawals'], keys);

      expect((await durable(['counts', '--of', 'withdrawals'])).stderr).toContain('Set PAYMENT_PLATFORM_ENC');
      expect(JSON.parse((await of('counts', '--json')).stdout)).toMatchObject([
        { state: 'in_doubt', count: 2 },
      ]);
      const shown = await of('show', 'w-1');
      expect(shown.stdout).toContain('ask the platform, and then confirm or dismiss it');
      expect(shown.stdout).not.toContain(String(internalId));
      const { payload } = JSON.parse((await of('show', 'w-1', '--show-payload', '--json')).stdout);
      expect(payload).toEqual({ internalId, amount: 101 });
      const other = { PAYMENT_PLATFORM_ENCRYPTION_KEYS: Buffer.alloc(32, 9).toString('base64') };
      const unreadable = ['show', 'w-1', '--show-payload', '--of', 'withdrawals'];
      expect((await durable(unreadable, other)).stderr).toContain(
        'encrypted with a key that this process does not have',
      );
      for (const name of ['settle', 'retry', 'cancel'])
        expect(await of(name, 'w-1', '--yes'), name).toMatchObject({ code: 5, stdout: '' });
      expect(await of('refresh', 'w-1', '--yes')).toMatchObject({ code: 2 });
      expect((await durable(['confirm', 'w-1', '--yes', '--of', 'payments'])).stderr).toContain(
        'Allowed choices are withdrawals.',
      );

      const elsewhere = await durable(['retry', 'w-2', '--yes']);
      expect(elsewhere).toMatchObject({ code: 4, stdout: '' });
      expect(elsewhere.stderr).toMatch(
        /^None of the payments .* has the key w-2\. .* need .*--of withdrawals/,
      );
      expect((await of('confirm', 'w-3', '--yes')).stderr).toContain('None of the withdrawals of');
      const unnamed = await of('confirm', 'w-2', '--dry-run');
      expect(unnamed.stdout).toContain('without its id on the platform, which cannot be added later');
      const named = await of('confirm', 'w-2', '--withdraw-id', '4211', '--dry-run');
      expect(named.stdout).not.toContain('without its id');

      const [made] = sandbox.control.withdrawals.list();
      const confirmed = await of(
        'confirm',
        'w-1',
        '--withdraw-id',
        String(made?.withdraw_id),
        '--yes',
        '--json',
      );
      expect(JSON.parse(confirmed.stdout)).toMatchObject({
        state: 'settled',
        result: { withdraw_id: made?.withdraw_id },
      });
      expect((await of('show', 'w-1')).stdout).toMatch(/^next step:? +nothing$/m);
      expect(await of('confirm', 'w-2', '--withdraw-id', 'x', '--yes')).toMatchObject({ code: 2 });
      expect((await of('dismiss', 'w-2')).stderr).toContain('retry pays it out twice');
      expect(await of('dismiss', 'w-2', '--yes')).toMatchObject({ code: 0 });
      expect(sandbox.control.withdrawals.list()).toHaveLength(1);
      expect(await of('retry', 'w-2', '--yes')).toMatchObject({ code: 0 });
      expect(await of('settle', 'w-2', '--yes')).toMatchObject({ code: 0 });
      expect(sandbox.control.withdrawals.list().map(({ amount }) => amount)).toEqual([101, 102]);
      expect(await durable(['show', 'w-1'])).toMatchObject({ stdout: expect.stringContaining('recorded') });
    });

    test('finds no payment of another client id, and says that others have some', async () => {
      const { durable, enqueue } = await openShop(open);
      await enqueue('order-1');
      const other = { PAYMENT_PLATFORM_CLIENT_ID: 'another-client' };
      const shown = await durable(['show', 'order-1'], other);
      expect(shown).toMatchObject({ code: 4, stdout: '' });
      expect(shown.stderr).toContain('`durable counts`');
      expect((await durable(['counts'], other)).stdout).toMatch(/foreign +1 .*another client id/);
    });

    test('finds the database in the configuration file, which a sandbox can share', async () => {
      const { durable, enqueue, env } = await openShop(open);
      await enqueue('order-1');
      const folder = mkdtempSync(join(tmpdir(), 'config-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const config = join(folder, 'shared.json');
      const { DATABASE_URL: databaseUrl, PAYMENT_PLATFORM_BASE_URL: baseUrl } = env;
      writeFileSync(config, JSON.stringify({ baseUrl, databaseUrl, seed: 1 }));
      const other = { DATABASE_URL: '', PAYMENT_PLATFORM_BASE_URL: '' };
      const counts = await durable(['counts', '--json', '--config', config], other);
      expect(JSON.parse(counts.stdout)).toMatchObject([{ state: 'recorded', count: 1 }]);
      const started = new Running(command, ['sandbox', '--json', '--port', '0', '--config', config]);
      expect(JSON.parse(await started.line())).toMatchObject({ url: expect.any(String) });
      await started.end();
    });

    test('prints the tables’ SQL and versions', async () => {
      const { durable } = await openShop(open);
      const { stdout, code } = await durable(['tables']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^-- payment_platform[._]payments in .*: /);
      expect(stdout).toContain('CREATE TABLE IF NOT EXISTS');
      expect(stdout).not.toContain('postgres://');
    });
  });
});

describe.each(['sqlite', 'pg'] as const)('durable tables for the schema tools of %s', (dialect) => {
  const url = async () => (dialect === 'pg' ? 'postgres://127.0.0.1:1/shop' : (await openSqlite()).url);

  test('prints every column as types for Kysely', async () => {
    const types = await printTables(command, 'kysely', await url());
    const names = [...types.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name);
    expect(names.join(' ')).toBe(`${tableColumns.payments} ${tableColumns.deliveries}`);
    expect(types).toContain(`  due_at: ${dialect === 'pg' ? 'Date' : 'number'} | null;`);
    expect(types).toContain(
      dialect === 'pg' ? `'payment_platform.payments': {` : 'payment_platform_payments: {',
    );
  });
});

test.each([
  ['no database', {}, 2, 'set DATABASE_URL'],
  ['a missing file', { DATABASE_URL: '/nowhere/shop.db' }, 2, 'SQLite file that exists'],
  ['another database', { DATABASE_URL: 'mysql://ana:canary@127.0.0.1/shop' }, 2, 'neither postgres://'],
  ['a quoted URL', { DATABASE_URL: '"postgres://ana:canary@127.0.0.1/shop"' }, 2, 'without quotes'],
  ['a padded URL', { DATABASE_URL: ' postgres://ana:canary@127.0.0.1:1/shop' }, 3, '127.0.0.1:1/shop'],
  ['no server', { DATABASE_URL: 'postgres://ana:canary@127.0.0.1:1/shop' }, 3, '127.0.0.1:1/shop'],
  ['an invalid URL', { DATABASE_URL: 'postgres://ana:can#ary@h:x/shop' }, 2, 'Encode'],
])('durable with %s says so, and shows no password', async (_, env, code, message) => {
  const credentials = {
    PAYMENT_PLATFORM_BASE_URL: 'https://platform.example',
    PAYMENT_PLATFORM_CLIENT_ID: 'shop',
    PAYMENT_PLATFORM_CLIENT_SECRET: 'canary-secret',
  };
  const ended = await run(command, ['durable', 'counts'], {
    env: { ...credentials, DATABASE_URL: '', ...env },
  });
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).not.toContain('can');
});
