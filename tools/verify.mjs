/**
 * Runs every check of `.ci/run`, several at a time: `npm run verify`. Prints a table of the checks, with the reasons
 * for skipped ones. `mutation` runs only if it is named. `--only NAME,…` and `--without NAME,…` select checks;
 * `--list` prints the names.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { REDIS_URL, POSTGRES_URL } = process.env;

/** The last lines of a failed step, which are repeated below the table: a shortened log keeps its end. */
const LAST_LINES = 80;

/** Installs the packages of a folder's own package.json. A second run takes a few seconds. */
const installIn = (folder) => `npm install --no-save --silent --no-audit --no-fund --prefix ${folder}`;

/** @typedef {{ readonly checks: string, readonly commands: readonly string[], readonly packages?: string, readonly unavailableCode?: number, readonly lacks?: string | false, readonly isOnlyByName?: boolean, readonly after?: readonly string[], readonly isAlone?: boolean }} Step */

/** @type {Record<string, Step>} */
const steps = {
  test: { checks: 'the tests of runtime behaviour', commands: ['npm test'] },
  check: {
    checks: 'format, lint, types, import rules, unused code, prose, public names',
    commands: [
      'npm run check',
      // A file of the package that only its test imports.
      'npx knip --config tools/knip.config.ts --production --include files',
      'npx tsx tools/prose/main.ts',
      'npx tsx tools/api/main.ts --check',
    ],
  },
  build: { checks: 'the build', commands: ['npm run build'] },
  'test:rest': {
    checks: 'the other tests: types, docs, pages, processes',
    commands: ['npx vitest run --project rest --project rest-alone'],
  },
  docs: {
    checks: 'the site: links, search, accessibility',
    commands: ['npm run docs -- --check'],
    after: ['build'],
  },
  interop: {
    checks: 'frameworks, ORMs, proxies, OpenTelemetry, the samples of the docs',
    commands: [
      installIn('test/interop'),
      'npm run check --silent --prefix test/interop',
      'npm test --silent --prefix test/interop',
    ],
  },
  environments: {
    checks: 'runtimes, bundlers and test runners, a part',
    commands: ['node tools/environments/main.mjs --quick'],
    after: ['build'],
  },
  'test:built': {
    checks: 'both engines, as they are published',
    commands: [
      'BUILT=1 npx vitest run',
      installIn('test/interop'),
      'BUILT=1 npm test --silent --prefix test/interop',
    ],
    after: ['build', 'interop'],
  },
  // The scale tests have their own packages. `npm ci` is not used, because it wants their lock file to repeat
  // the dependencies of this package.
  'at-scale': {
    checks: 'the examples of many processes',
    packages: installIn('examples/at-scale'),
    commands: ['npm run check --prefix examples/at-scale', 'npm test --prefix examples/at-scale'],
    lacks: !(REDIS_URL && POSTGRES_URL) && 'it needs REDIS_URL and POSTGRES_URL',
  },
  scale: {
    checks: 'processes that are killed, a tenth of the load',
    commands: ['npx tsx tools/scale/main.ts'],
    after: ['build'],
  },
  package: {
    checks: 'the tarball: contents, sizes, types',
    commands: [installIn('tools/package'), 'npx tsx tools/package/check.mjs'],
    after: ['build'],
  },
  openapi: {
    checks: 'docs/openapi.json and docs/postman.json with newman, Prism and generators of clients',
    commands: ['npx tsx tools/openapi/main.ts'],
    unavailableCode: 3,
  },
  compatibility: {
    checks: 'samples and types of the last release',
    commands: [installIn('test/interop'), 'npx tsx tools/compatibility/main.ts'],
    after: ['build', 'interop', 'test:built'],
  },
  demo: { checks: 'the demo', commands: ['npm run demo'] },
  advisories: {
    checks: 'the bundled packages, against known vulnerabilities',
    commands: ['node tools/release/check-advisories.mjs'],
    unavailableCode: 3,
  },
  speed: {
    checks: 'CPU beside the last release',
    commands: ['node tools/bench/gate.mjs'],
    after: ['build'],
    isAlone: true,
  },
  mutation: {
    checks: 'that the tests notice 95 % of the changes to what decides about money and secrets',
    commands: [
      installIn('test/interop'),
      installIn('tools/mutation'),
      'npx --prefix tools/mutation stryker run tools/mutation/stryker.config.mjs',
      'npx tsx tools/mutation/main.ts',
    ],
    isOnlyByName: true,
  },
};

const names = Object.keys(steps);
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    without: { type: 'string' },
    list: { type: 'boolean' },
  },
});

/** Reads the names of an option. Each must be a step's name. */
function named(option) {
  const selected = values[option]?.split(',') ?? [];
  const wrong = selected.filter((name) => !names.includes(name));
  if (wrong.length === 0) return selected;
  console.error(`--${option} takes ${names.join(', ')}, not ${wrong.join(', ')}`);
  return process.exit(2);
}
const only = named('only');
const without = named('without');

/** Runs a command, shows its output, and records the lines about skipped work and the last lines. */
async function run(name, command, skipped, last) {
  const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const show = (print) => (line) => {
    print(`${name} | ${line}`);
    const plain = stripVTControlCharacters(line);
    if (plain.startsWith('skipped: ')) skipped.push(plain.slice('skipped: '.length));
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
  };
  createInterface({ input: child.stdout }).on('line', show(console.log));
  createInterface({ input: child.stderr }).on('line', show(console.error));
  const [code] = await once(child, 'close');
  return code;
}

async function runStep(name, { commands, packages, lacks, unavailableCode }) {
  if (lacks) return { end: 'skipped', skipped: [lacks] };
  const started = performance.now();
  const skipped = [];
  const last = [];
  if (packages && (await run(name, packages, skipped, last)) !== 0)
    return { end: 'skipped', skipped: ['its packages could not be installed'] };
  let code = 0;
  for (const command of commands) if (code === 0) code = await run(name, command, skipped, last);
  if (code !== null && code === unavailableCode)
    return { end: 'skipped', skipped: ['nobody responded: see above'] };
  const holds = code === 0;
  const seconds = `${((performance.now() - started) / 1_000).toFixed(0)} s`;
  return { end: holds ? `holds, ${seconds}` : `FAILS, ${seconds}`, skipped, ...(!holds && { last }) };
}

/** Runs the chosen steps in their order, and each one after those it needs. */
async function runSteps(chosen) {
  // A check waits for processes, browsers and the network for a quarter of its time.
  const atOnce = availableParallelism() + 1;
  const results = {};
  const running = new Map();
  const waiting = [...chosen];
  const canStart = (name) => {
    const { after = [], isAlone } = steps[name];
    if (isAlone && running.size > 0) return false;
    return after.every((needed) => !waiting.includes(needed) && !running.has(needed));
  };
  while (waiting.length > 0 || running.size > 0) {
    const isFree = running.size < atOnce && ![...running.keys()].some((name) => steps[name].isAlone);
    const next = isFree ? waiting.find(canStart) : undefined;
    if (next === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    running.set(
      next,
      runStep(next, steps[next]).then((result) => {
        console.log(`${next}: ${result.end}`);
        results[next] = result;
        running.delete(next);
      }),
    );
  }
  return results;
}

if (values.list) {
  console.log(names.join('\n'));
  process.exit();
}
const isChosen = (name) =>
  only.length === 0 ? !steps[name].isOnlyByName && !without.includes(name) : only.includes(name);
const started = performance.now();
const results = await runSteps(names.filter(isChosen));
const rows = [];
const failures = [];
for (const [name, { checks }] of Object.entries(steps)) {
  const { end, skipped, last } = results[name] ?? { end: 'not asked for', skipped: [] };
  rows.push([name, checks, end], ...skipped.map((reason) => ['', `  skipped: ${reason}`, '']));
  if (last) failures.push({ name, last });
}
const width = (column) =>
  Math.max(...rows.map((row) => (row[1].startsWith('  skipped') ? 0 : row[column].length)));
console.log('');
for (const row of rows)
  console.log(`${row[0].padEnd(width(0))}  ${row[1].padEnd(width(1))}  ${row[2]}`.trimEnd());
console.log(`${((performance.now() - started) / 60_000).toFixed(1)} minutes in all`);
for (const { name, last } of failures) console.log(`\n${name} failed:\n${last.join('\n')}`);
if (failures.length > 0) process.exitCode = 1;
