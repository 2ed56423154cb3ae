// Runs a shop on an older version, kills it halfway, and continues with this version installed over it:
// npx tsx tools/compatibility/running-shop.ts --from <tarball, folder or commit>, after npm run build.
import { fork } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresSchema, postgresUrl } from '../../test/support/postgres.js';
import { redisUrl } from '../../test/support/redis.js';
import { findFreePort } from '../free-port.js';
import { packed, packVersion, root, run } from './packed.js';

const from = process.argv[process.argv.indexOf('--from') + 1];
if (!process.argv.includes('--from') || from === undefined || redisUrl === '' || postgresUrl === '')
  throw new Error('Give --from and a tarball, a folder or a commit, with REDIS_URL and POSTGRES_URL set.');
const printLine = (text: string) => process.stdout.write(`${text}\n`);

/** The shop's report, halfway through an event or at its end. */
type ShopReport = Readonly<Record<string, unknown>>;

/** Runs the shop to its end, or kills the shop as soon as it is halfway through an event. */
function shop(folder: string, env: NodeJS.ProcessEnv): Promise<ShopReport> {
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, 'shop.mjs'), { cwd: folder, env: { ...process.env, ...env } });
    let last: ShopReport | undefined;
    child.on('message', (report: ShopReport) => {
      last = report;
      if (report.done !== true) child.kill('SIGKILL');
    });
    child.once('exit', (code, signal) => {
      if (last !== undefined && (signal === 'SIGKILL' || code === 0)) resolve(last);
      else reject(new Error(`The shop ended with ${signal ?? code}.`));
    });
  });
}

const work = mkdtempSync(join(tmpdir(), 'running-shop-'));
// The folder is in the repository, so that the shop finds the Redis and PostgreSQL clients.
const folder = mkdtempSync(join(root, 'tools/compatibility/.shop-'));
const { schema, createSchema, removeSchema } = postgresSchema();
try {
  const [older, newer] = [packVersion(from, work), packed(root, join(work, 'newer'))];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync(join(root, 'tools/compatibility/shop-process.mjs'), join(folder, 'shop.mjs'));
  const install = (tarball: string) =>
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', tarball], folder);
  await createSchema();
  const env = {
    SHOP_PORT: String(await findFreePort()),
    SHOP_SCHEMA: schema,
    SHOP_STATE: join(work, 'sandbox.state'),
  };
  install(older);
  const { events } = await shop(folder, { ...env, SHOP_KILLED_IN: '8' });
  if (events !== 8) throw new Error('The older version was not killed halfway.');
  printLine(
    `On the older version, ${events} events of 20 had come when it was killed; the last was not committed.`,
  );
  install(newer);
  const { done: _, ...figures } = await shop(folder, env);
  printLine(`On this version: ${JSON.stringify(figures)}`);
  const wanted = { charges: 20, ordersCharged: 20, shipments: 20, ordersShipped: 20, tokenRequests: 0 };
  const wrong = Object.entries(wanted).filter(([name, count]) => figures[name] !== count);
  for (const [name, count] of wrong) printLine(`${name}: ${figures[name]}, and not ${count}.`);
  if (wrong.length === 0)
    printLine('No event was lost or handed on twice, no order was charged twice, and the token was kept.');
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
  rmSync(work, { recursive: true });
  await removeSchema();
}
