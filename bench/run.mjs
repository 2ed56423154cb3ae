/**
 * The benchmark: `npm run bench`, or `npm run bench -- --rounds 15`. Everything is measured side by
 * side in one run, and over loopback. What counts are the ratios: the figures themselves belong to the
 * machine and the moment. It prints, and fails nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { programs, start } from './imports.mjs';
import { median, print, ratios, spread } from './table.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes an integer from 1');

/** Runs a file of this folder in a process of its own, up to what it reports. */
async function child(file, ...args) {
  const started = fork(new URL(file, import.meta.url), args.map(String));
  const ended = once(started, 'exit').then(([code]) => {
    throw new Error(`${file} ${args.join(' ')} ended with ${code} and no report`);
  });
  const [report] = await Promise.race([once(started, 'message'), ended]);
  ended.catch(() => undefined);
  return { report, started };
}

/** Measures every contender once in each round, each time in another order. */
async function interleave(names, count, measure) {
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < count; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length];
      values[name].push(await measure(name));
    }
  }
  return values;
}

/** @type {string[][]} */
const verdicts = [];

function judge(what, values, limit) {
  const ratio = median(values);
  const short = ratio - limit;
  verdicts.push([
    what,
    ratio.toFixed(2),
    `at most ${limit}`,
    short > 0 ? `falls short by ${short.toFixed(2)}` : 'holds',
  ]);
}

async function benchCreate() {
  const labels = {
    bare: 'bare node:http',
    fetch: 'bare fetch',
    node: 'payment-platform, node engine',
    ky: 'payment-platform, ky engine',
    stripe: 'stripe',
  };
  const { report, started: server } = await child('server.mjs');
  const micros = await interleave(Object.keys(labels), rounds, async (name) => {
    const run = await child('create.mjs', name, report.port);
    return run.report.micros;
  });
  server.disconnect();
  const { bare, node, stripe } = micros;
  const to = (values, base) => median(ratios(values, base)).toFixed(2);
  print('payments.create: µs of CPU per call, 50 calls in flight', [
    ['', 'median', 'min', 'max', '/ bare', '/ stripe'],
    ...Object.entries(labels).map(([name, label]) => [
      label,
      ...spread(micros[name], 1),
      to(micros[name], bare),
      to(micros[name], stripe),
    ]),
  ]);
  judge('payments.create / bare node:http', ratios(node, bare), 1.5);
  judge('payments.create / stripe', ratios(node, stripe), 0.7);
}

async function benchVerify() {
  const kinds = { string: 'body as a string', bytes: 'body as a Buffer' };
  const rows = [['', 'median', 'min', 'max', '/ bare']];
  for (const [kind, label] of Object.entries(kinds)) {
    const { report } = await child('verify.mjs', kind, rounds * 3);
    const { bare, ...others } = report.micros;
    rows.push([`${label}: bare`, ...spread(bare, 2), '1.00']);
    for (const [name, values] of Object.entries(others)) {
      rows.push([`${label}: ${name}`, ...spread(values, 2), median(ratios(values, bare)).toFixed(2)]);
    }
    judge(`verify / bare, ${label}`, ratios(others.verify, bare), 1.2);
  }
  print('verify: µs of CPU per delivery of 1 KB; bare is HMAC, compare and JSON.parse', rows);
}

async function benchImport() {
  const rows = [['', 'median', 'min', 'max', 'over bare', '/ stripe']];
  for (const [format, of] of Object.entries(programs)) {
    for (const program of Object.values(of)) start(program);
    const times = await interleave(Object.keys(of), rounds * 3, (name) => start(of[name]));
    const over = (name) => median(times[name]) - median(times.bare);
    const ratio = over('ours') / over('stripe');
    rows.push(
      [`${format}: bare Node`, ...spread(times.bare, 1)],
      [`${format}: payment-platform`, ...spread(times.ours, 1), over('ours').toFixed(1), ratio.toFixed(2)],
      [`${format}: stripe`, ...spread(times.stripe, 1), over('stripe').toFixed(1), '1.00'],
    );
    if (format === 'esm') judge('import over bare Node / stripe', [ratio], 0.6);
  }
  print('import of the root entry: ms from the start of a process to its end', rows);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}; ${rounds} rounds, interleaved`);
await benchCreate();
await benchVerify();
await benchImport();
print('targets', [['', 'ratio', 'target', ''], ...verdicts]);
console.log(
  '\nA ratio is the median of the ratios of each round; for import it is that of the medians, less bare Node.',
);
