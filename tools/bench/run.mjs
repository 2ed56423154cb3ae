/**
 * Compares with a bare client and with another SDK: `npm run bench`, or `npm run bench -- --rounds 15`.
 * Everything is measured side by side in one run, over loopback. Only the ratios are meaningful: the absolute
 * figures depend on the machine and the moment. The benchmark only prints, and never fails. `gate.mjs`
 * compares with another commit, and fails.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { measureColdStart, packages } from './cold.mjs';
import { startServer } from './loopback.mjs';
import { median, print } from './table.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes an integer from 1');

/** Measures every contender once per round, in a different order each time. */
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

/** Returns median, minimum and maximum as cells of a row. */
function spread(values, digits) {
  return [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
}

/** Divides round by round, so that a temporary slowdown of the machine affects both sides. */
const ratio = (values, base) => median(values.map((value, round) => value / base[round])).toFixed(2);

async function benchCreate(port) {
  const labels = {
    bare: 'bare node:http',
    fetch: 'bare fetch',
    node: 'payment-platform, node engine',
    ky: 'payment-platform, ky engine',
    stripe: 'stripe',
  };
  const micros = await interleave(Object.keys(labels), rounds, async (name) => {
    const child = fork(new URL('create.mjs', import.meta.url), [name, port]);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`create.mjs ${name} ended with ${code} and no report`);
    });
    ended.catch(() => undefined);
    const [report] = await Promise.race([once(child, 'message'), ended]);
    return report.micros;
  });
  print('payments.create: µs of CPU per call, 50 calls in flight', [
    ['', 'median', 'min', 'max', '/ bare', '/ fetch', '/ stripe'],
    ...Object.entries(labels).map(([name, label]) => [
      label,
      ...spread(micros[name], 1),
      ...['bare', 'fetch', 'stripe'].map((base) => ratio(micros[name], micros[base])),
    ]),
  ]);
}

async function benchColdStart(port) {
  const rows = [['', 'load', 'min', 'max', '/ stripe', 'with first call', 'min', 'max', '/ stripe']];
  for (const [format, files] of Object.entries(packages)) {
    const names = Object.keys(files);
    const measure = (name) => measureColdStart(format, name, files[name], port);
    for (const name of names) await measure(name);
    const reports = await interleave(names, rounds * 3, measure);
    for (const name of names) {
      const cells = ['load', 'total'].flatMap((what) => {
        const [own, stripe] = [name, 'stripe'].map((one) => reports[one].map((report) => report[what]));
        return [...spread(own, 1), ratio(own, stripe)];
      });
      rows.push([`${format}: ${name === 'ours' ? 'payment-platform' : name}`, ...cells]);
    }
  }
  print('cold start: ms of CPU of a new process, for the load of the package and for its first call', rows);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}; ${rounds} rounds, interleaved`);
const { port, stop } = await startServer();
await benchCreate(port);
await benchColdStart(port);
stop();
console.log('\nA ratio is the median of the ratios of each round.');
