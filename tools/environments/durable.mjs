// Checks durable payments with the databases that runtimes include, and with a package that has the methods
// of better-sqlite3.
import { join } from 'node:path';
import { run } from './processes.mjs';
import {
  bunIn,
  bunPackage,
  nodeIn,
  nodePackage,
  noNode,
  noRuntimes,
  support,
  versionOfNode,
} from './runtimes.mjs';

const [bunVersion] = support.others.Bun;
const [denoVersion] = support.others.Deno;

const databases = {
  'node:sqlite': "import { DatabaseSync as Database } from 'node:sqlite';",
  'bun:sqlite': "import { Database } from 'bun:sqlite';",
  libsql: "import Database from 'libsql';",
};

/**
 * Runs the store checks, a payment that survives its process, and one in a transaction that is rolled back.
 */
const writeProgram = (database) => `${databases[database]}
import { createDurablePayments, sqlitePayments, sqlitePaymentsSql } from 'payment-platform/durable';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { paymentStoreChecks } from 'payment-platform/testing';

for (const [index, { run }] of paymentStoreChecks.entries()) {
  const database = new Database('check-' + index + '.db');
  database.exec(sqlitePaymentsSql());
  await run(sqlitePayments(database));
  database.close();
}
const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
const database = new Database('payments.db');
database.exec(sqlitePaymentsSql());
const store = sqlitePayments(database);
const payments = createDurablePayments(platform, { store });
const order = { amount: 1990, paymentMethod: 'pix', customer: { name: 'Ana' }, items: [{ title: 'Café', quantity: 1, unitPrice: 1990 }] };
database.exec('BEGIN');
await payments.enqueue(order, { key: 'undone', client: database });
database.exec('ROLLBACK');
await payments.enqueue(order, { key: 'order-1' });
// Another connection to the same file, as another process has it.
const other = createDurablePayments(platform, { store: sqlitePayments(new Database('payments.db')) });
const [one, two] = [await other.settleDue(), await payments.settleDue()];
const { record } = await payments.create(order, { key: 'order-1' });
const { charges } = sandbox.ledger;
if (one !== 1 || two !== 0 || record.state !== 'settled' || charges.length !== 1) throw new Error(JSON.stringify({ one, two, record, charges }));
console.log('settled once');
await sandbox.close();
`;

const rows = [
  ...['22', '24', '26'].map((name) => ({
    environment: 'Durable payments on Node',
    version: versionOfNode(name),
    database: 'node:sqlite',
    packages: nodePackage(name),
    unavailable: noNode(name),
    quick: name === '24',
    command: (project) => [nodeIn(project, name), '--no-warnings'],
  })),
  {
    environment: 'Durable payments on Node',
    version: versionOfNode('own'),
    database: 'libsql',
    packages: { libsql: '0.5.29' },
    command: () => [process.execPath],
  },
  {
    environment: 'Durable payments on Bun',
    version: bunVersion,
    database: 'bun:sqlite',
    packages: bunPackage(bunVersion),
    unavailable: noRuntimes,
    quick: true,
    command: (project) => [bunIn(project)],
  },
  {
    environment: 'Durable payments on Deno',
    version: denoVersion,
    database: 'node:sqlite',
    packages: { deno: denoVersion },
    command: (project) => [
      process.execPath,
      join(project, 'node_modules/deno/bin.cjs'),
      ...['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
    ],
  },
];

export const durable = (workspace) =>
  rows.map(({ database, packages, command, ...row }) => ({
    ...row,
    use: `\`sqlitePayments\` over ${database}`,
    run: async () => {
      const name = `durable-${row.environment}-${row.version}`.replaceAll(/[^\w.-]+/g, '-').toLowerCase();
      const project = await workspace.project(name, packages);
      const cwd = workspace.write(join(project, 'program'), {
        'package.json': JSON.stringify({ type: 'module' }),
        'main.js': writeProgram(database),
      });
      const [program, ...args] = command(project);
      const printed = await run(program, [...args, 'main.js'], { cwd });
      if (!printed.includes('settled once')) throw new Error(printed);
    },
  }));
