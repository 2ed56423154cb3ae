import { parseArgs } from 'node:util';
import { isInstalled } from '../../test/support/servers.js';
import type { Scenario } from './drive.js';
import { overDurable } from './durable.js';
import { overFaultyPostgres } from './faulty-postgres.js';
import { overFaultyRedis } from './faulty-redis.js';

/**
 * `npm run verify -- --only scale` runs a tenth of the load. Here `--full` runs all of it, and `--only` with
 * a scenario's name, such as `durable`, runs that scenario.
 */
const { values } = parseArgs({ options: { full: { type: 'boolean' }, only: { type: 'string' } } });
const part = values.full ? 1 : 0.1;
const seed = Number(process.env.SCALE_SEED ?? Date.now() % 1_000_000);
const all: readonly Scenario[] = [overFaultyRedis, overFaultyPostgres, overDurable];
const names = all.map(({ name }) => name).join(', ');
const scenarios = all.filter(({ name }) => (values.only ?? name) === name);
if (scenarios.length === 0) throw new Error(`--only takes one of ${names}, not ${values.only}.`);

const printLine = (line: string) => process.stdout.write(`${line}\n`);

for (const { name, needs, run } of scenarios) {
  if (!isInstalled(...needs)) {
    printLine(`skipped: scale of ${name} (needs ${needs.join(', ')})`);
    continue;
  }
  const started = performance.now();
  try {
    const figures = await run({ part, seed });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    printLine(`${name}: holds, in ${seconds} s`);
    for (const [what, number] of Object.entries(figures))
      printLine(`  ${what}: ${number.toLocaleString('en')}`);
  } catch (error) {
    printLine(`${name}: does not hold (repeat it with SCALE_SEED=${seed})`);
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}
