import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getTableColumns, type Table } from 'drizzle-orm';
import Database from 'libsql';
import { sqlitePaymentsSql } from 'payment-platform/durable';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { printTables, tableColumns } from '../../../sandbox/test/cli/durable-tables.js';
import { builtCommand } from '../../../sandbox/test/cli/support.js';

/** The printed file imports Drizzle. */
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Creates a SQLite file with an empty table. @returns its path */
function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  const file = join(folder, 'shop.db');
  const database = new Database(file);
  database.exec(sqlitePaymentsSql());
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  return file;
}

test.each(['sqlite', 'pg'])(
  'durable tables for %s prints every column as definitions for Drizzle',
  async (dialect) => {
    const folder = mkdtempSync(join(packages, '.tables-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'tables.mjs');
    writeFileSync(
      file,
      await printTables(command, 'drizzle', dialect === 'pg' ? 'postgres://127.0.0.1:1/shop' : sqliteFile()),
    );
    const tables = (await import(pathToFileURL(file).href)) as Record<keyof typeof tableColumns, Table>;
    for (const name of ['payments', 'deliveries'] as const) {
      const defined = Object.values(getTableColumns(tables[name]));
      expect(defined.map((column) => column.name).join(' ')).toBe(tableColumns[name]);
    }
    const { dueAt, refreshUntil, createdAt, inDoubt } = getTableColumns(tables.payments);
    expect(refreshUntil?.notNull).toBe(false);
    expect([dueAt?.notNull, createdAt?.notNull, dueAt?.dataType, inDoubt?.dataType]).toEqual(
      dialect === 'pg' ? [false, true, 'date', 'boolean'] : [false, true, 'number', 'number'],
    );
  },
);
