// Checks that this build can take over from the last release: npm run verify -- --only compatibility,
// after npm run build. --against <tarball, folder or commit> names another version.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { postgresUrl } from '../../test/support/postgres.js';
import { redisUrl } from '../../test/support/redis.js';
import { lastRelease } from '../release/last-release.mjs';
import * as checks from './checks.js';
import { restoredPostgres, restoredRedis, restoredSqlite, restoredState, upgradeSqlite } from './restored.js';
import { problemsIn, root, samplesIn } from './samples.js';
import { loadedSdk, type Sdk } from './scene.js';
import { readStored, type Stored, storedVersions } from './stored.js';

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const printLine = (text: string) => process.stdout.write(`${text}\n`);
const at = process.argv.indexOf('--against');
const against = at === -1 ? lastRelease(root) : process.argv[at + 1];
const closers: (() => unknown)[] = [];
const closing = (close: () => unknown) => void closers.push(close);

/** Checks a commit out, without a build. */
function checkedOut(ref: string, work: string): string {
  const folder = join(work, 'source');
  mkdirSync(folder);
  run('git', ['archive', '--output', join(work, 'source.tar'), ref], root);
  run('tar', ['-xf', join(work, 'source.tar'), '-C', folder], work);
  return folder;
}

/** Returns the folder with a version's files. Unpacks a tarball, but builds nothing. */
function unpackFiles(value: string, work: string): string {
  if (value.endsWith('.tgz')) {
    run('tar', ['-xf', resolve(value), '-C', work], work);
    return join(work, 'package');
  }
  return existsSync(value) && statSync(value).isDirectory() ? resolve(value) : checkedOut(value, work);
}

/** Runs a version's compile-time tests on the current types, at the same paths in another folder. */
function checkTypes(folder: string): string[] {
  const test = join(folder, 'test/types/mistakes.test.ts');
  if (!existsSync(test)) {
    printLine('It has no test/types: only a commit has them.');
    return [];
  }
  const place = mkdtempSync(join(root, 'test/released-'));
  closing(() => rmSync(place, { recursive: true }));
  writeFileSync(join(place, 'mistakes.test.ts'), readFileSync(test));
  try {
    run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', place], root);
    return [];
  } catch (error) {
    return [`Its test/types fails: ${(error as { stdout?: string }).stdout ?? error}`];
  }
}

/** Checks the data of a version. */
async function checkData(sdk: Sdk, stored: Stored): Promise<string[]> {
  const state = () => restoredState(stored, closing);
  const problems = [
    await checks.chargesAreKept(sdk, state()),
    await checks.tokenIsKept(
      sdk,
      {
        get: async (name) => stored.sealed[name],
        set: async () => undefined,
        lock: async () => async () => undefined,
      },
      stored.version,
    ),
  ];
  const { durable, webhooks, main } = sdk;
  if (stored.sqlitePayments && durable) {
    const { database, table } = restoredSqlite(stored.sqlitePayments, closing);
    database.exec(`${upgradeSqlite(table)}${durable.sqlitePaymentsSql(table)}`);
    const store = durable.sqlitePayments(database, { table }) as never;
    problems.push(await checks.recordsAreKept(sdk, store, 'sqlite', state()));
  }
  if (redisUrl !== '') {
    const { client, prefix } = await restoredRedis(stored, closing);
    problems.push(await checks.deliveriesAreKept(sdk, webhooks.redisDedupe(client, { prefix })));
    problems.push(await checks.tokenIsKept(sdk, main.redisTokenStore(client, { prefix }), stored.version));
    problems.push(await checks.limitIsKept(sdk, client, prefix));
  }
  if (postgresUrl !== '') {
    const { pool, table } = await restoredPostgres(stored.deliveries, closing);
    problems.push(await checks.deliveriesAreKept(sdk, webhooks.postgresDedupe(pool, { table })));
    if (stored.postgresPayments && durable) {
      const payments = await restoredPostgres(stored.postgresPayments, closing);
      await payments.pool.query(durable.postgresPaymentsSql(payments.table));
      const store = durable.postgresPayments(payments.pool, { table: payments.table }) as never;
      problems.push(await checks.recordsAreKept(sdk, store, 'postgres', state()));
    }
  }
  return problems.flat();
}

const problems: string[] = [];
try {
  if (against === undefined)
    printLine('No release has a tag yet, and --against is missing. Only stored data is checked.');
  else {
    const work = mkdtempSync(join(tmpdir(), 'released-'));
    closing(() => rmSync(work, { recursive: true }));
    mkdirSync(work, { recursive: true });
    const folder = unpackFiles(against, work);
    const samples = samplesIn(folder);
    problems.push(
      ...problemsIn(samples, 'dist').map((problem) => `${against}: ${problem}`),
      ...checkTypes(folder),
    );
    printLine(`${against}: ${Object.keys(samples).length} samples were compiled against this build.`);
  }
  for (const [name, url] of [
    ['REDIS_URL', redisUrl],
    ['POSTGRES_URL', postgresUrl],
  ])
    if (url === '') printLine(`skipped: what needs ${name}`);
  const sdk = await loadedSdk(root);
  for (const version of storedVersions()) {
    problems.push(
      ...(await checkData(sdk, readStored(version))).map((problem) => `The data of ${version}: ${problem}`),
    );
    printLine(`The data of ${version} was read.`);
  }
} finally {
  for (const close of closers.reverse()) await close();
}
for (const problem of problems) printLine(problem);
printLine(
  problems.length === 0 ? 'This build goes on where older versions were.' : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
