import { parseArgs } from 'node:util';
import { deadlines } from './deadlines.js';
import { overDurable, overDurableFile } from './over-durable.js';
import { overFaultyPostgres, overPostgres } from './over-postgres.js';
import { overFaultyRedis } from './over-redis.js';
import { overSandbox } from './over-sandbox.js';
import { overState } from './over-state.js';

/** The figures of a load, by name. */
export type Figures = Readonly<Record<string, number>>;

/** A load, and the guarantees to check after it. */
export interface Scenario {
  readonly name: string;
  /** The required service, for the message if it is missing. */
  readonly needs: string;
  readonly isThere: boolean;
  /**
   * Runs the load. Rejects if a promise is broken, and otherwise returns the figures. `part` is the share of
   * the whole load, up to 1.
   */
  run(options: { readonly part: number; readonly seed: number }): Promise<Figures>;
}

/**
 * `npm run verify -- --only scale` runs a tenth of the load. Here `--full` runs all of it, and `--only` with
 * a scenario's name, such as `postgres`, runs that scenario.
 */
const { values } = parseArgs({ options: { full: { type: 'boolean' }, only: { type: 'string' } } });
const part = values.full ? 1 : 0.1;
const seed = Number(process.env.SCALE_SEED ?? Date.now() % 1_000_000);
const all: readonly Scenario[] = [
  overPostgres,
  overFaultyRedis,
  overFaultyPostgres,
  overDurable,
  overDurableFile,
  overState,
  overSandbox,
  deadlines,
];
const names = all.map(({ name }) => name).join(', ');
const scenarios = all.filter(({ name }) => (values.only ?? name) === name);
if (scenarios.length === 0) throw new Error(`--only takes one of ${names}, not ${values.only}.`);

const printLine = (line: string) => process.stdout.write(`${line}\n`);

for (const { name, needs, isThere, run } of scenarios) {
  if (!isThere) {
    printLine(`skipped: scale of ${name} (needs ${needs})`);
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
