/**
 * Runs the benchmark: `npm run bench`, or `npm run bench -- --rounds 15 --only cold` (create, durable,
 * verify, receive, cold, sandbox or uploads). Everything is measured side by side in one run, over loopback.
 * `--against REF` compares with another commit. Only the ratios are meaningful: the absolute figures depend
 * on the machine and the moment. The benchmark only prints, and never fails.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { buildCommit } from './against.mjs';
import { coldStart, measureColdStart, packages } from './cold.mjs';
import { deliver } from './deliver.mjs';
import { median, print, ratios, spread } from './table.mjs';
import { benchUploads } from './uploads.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    against: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes an integer from 1');

/** Runs a file of this folder in a separate process, until it reports. */
async function child(file, ...args) {
  return childWith({}, file, ...args);
}

/** @param env variables added to this process's environment */
async function childWith(env, file, ...args) {
  // The script that measures memory collects its garbage itself.
  const execArgv = file === 'sandbox.mjs' ? ['--expose-gc'] : [];
  const started = fork(new URL(file, import.meta.url), args.map(String), {
    execArgv,
    env: { ...process.env, ...env },
  });
  const ended = once(started, 'exit').then(([code]) => {
    throw new Error(`${file} ${args.join(' ')} ended with ${code} and no report`);
  });
  const [report] = await Promise.race([once(started, 'message'), ended]);
  ended.catch(() => undefined);
  return { report, started };
}

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

/** Measures this state and another commit alternately, and returns the ratios of their CPU time. */
async function benchAgainst(ref) {
  const { commit, dist, remove } = buildCommit(ref);
  const envs = { here: {}, there: { DIST: dist } };
  const { report, started: server } = await child('server.mjs');
  const measures = {
    'payments.create, node engine': async (name) =>
      (await childWith(envs[name], 'create.mjs', 'node', report.port)).report.micros,
    'payments.create, ky engine': async (name) =>
      (await childWith(envs[name], 'create.mjs', 'ky', report.port)).report.micros,
    verify: async (name) =>
      median((await childWith(envs[name], 'verify.mjs', 'string', 3)).report.micros.verify),
    'load and first call, ESM': async (name) =>
      (await measureColdStart(name === 'here' ? packages.esm.ours : `${dist}/index.js`, report.port)).total,
  };
  const rows = [['', 'here', commit.slice(0, 7), 'ratio']];
  for (const [label, measure] of Object.entries(measures)) {
    const { here, there } = await interleave(['here', 'there'], rounds, measure);
    const ratio = median(ratios(here, there));
    rows.push([label, median(here).toFixed(1), median(there).toFixed(1), ratio.toFixed(2)]);
  }
  server.disconnect();
  remove();
  print(`against ${ref}: µs of CPU of a call and of a delivery, ms of a cold start`, rows);
}

async function benchCreate() {
  const labels = {
    bare: 'bare node:http',
    fetch: 'bare fetch',
    node: 'payment-platform, node engine',
    ky: 'payment-platform, ky engine',
    'node, listener': 'the same, responses validated for onDrift',
    'ky, listener': 'the same, ky engine',
    stripe: 'stripe',
  };
  const { report, started: server } = await child('server.mjs');
  const micros = await interleave(Object.keys(labels), rounds, async (name) => {
    const run = await child('create.mjs', name, report.port);
    return run.report.micros;
  });
  server.disconnect();
  const { bare, node, stripe, ky, fetch } = micros;
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
  judge('payments.create / bare node:http', ratios(node, bare), 1.25);
  judge('payments.create / stripe', ratios(node, stripe), 0.58);
  judge('payments.create on the ky engine / bare fetch', ratios(ky, fetch), 1.45);
}

/** Measures the cost of recording a payment, in an empty table and in one with a million settled payments. */
async function benchDurable() {
  const million = 1_000_000;
  const all = {
    plain: ['payments.create', 'plain', 0],
    sqlite: ['recorded in SQLite', 'sqlite', 0],
    'sqlite, full': ['recorded in SQLite, 1,000,000 rows', 'sqlite', million],
    postgres: ['recorded in PostgreSQL', 'postgres', 0],
    'postgres, full': ['recorded in PostgreSQL, 1,000,000 rows', 'postgres', million],
  };
  const names = Object.keys(all).filter((name) => process.env.POSTGRES_URL || !name.startsWith('postgres'));
  const { report, started: server } = await child('server.mjs');
  const values = await interleave(names, rounds, async (name) => {
    const [, store, settled] = all[name];
    return (await child('durable.mjs', store, report.port, settled)).report;
  });
  server.disconnect();
  const of = (name, what) => values[name].map((value) => value[what]);
  print('durable: µs of CPU of a payment, 20 in flight; payments a second; ms that one waits', [
    ['', 'median', 'min', 'max', '/ plain', 'a second', 'ms'],
    ...names.map((name) => [
      all[name][0],
      ...spread(of(name, 'micros'), 1),
      median(ratios(of(name, 'micros'), of('plain', 'micros'))).toFixed(2),
      median(of(name, 'perSecond')).toFixed(0),
      median(of(name, 'wait')).toFixed(2),
    ]),
  ]);
  for (const store of ['sqlite', 'postgres'].filter((one) => names.includes(one)))
    judge(
      `durable: 1,000,000 rows / none, ${store}`,
      ratios(of(`${store}, full`, 'micros'), of(store, 'micros')),
      1.15,
    );
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

async function benchReceive() {
  const perRound = 4000;
  const labels = { bare: 'bare node:http', receiver: 'receiver, memoryDedupe' };
  const servers = {};
  for (const name of Object.keys(labels)) servers[name] = await child('receiver.mjs', name);
  const measure = async (name) => {
    const { report, started } = servers[name];
    const ask = async () => {
      started.send('measure');
      return (await once(started, 'message'))[0];
    };
    await ask();
    await deliver(report.port, perRound);
    const { micros, handled } = await ask();
    if (handled !== perRound) throw new Error(`${name} handled ${handled} of ${perRound} deliveries`);
    return micros / perRound;
  };
  for (const name of Object.keys(labels)) await measure(name);
  const micros = await interleave(Object.keys(labels), rounds * 2, measure);
  for (const { started } of Object.values(servers)) started.disconnect();
  print(
    'receive: µs of CPU of the server per delivery of 1 KB; bare reads, checks the HMAC, parses, remembers, responds',
    [
      ['', 'median', 'min', 'max', '/ bare'],
      ...Object.entries(labels).map(([name, label]) => [
        label,
        ...spread(micros[name], 1),
        median(ratios(micros[name], micros.bare)).toFixed(2),
      ]),
    ],
  );
  judge('receive / bare node:http', ratios(micros.receiver, micros.bare), 1.4);
}

async function benchColdStart() {
  const { report: server, started } = await child('server.mjs');
  const rows = [['', 'load', 'min', 'max', 'with first call', 'min', 'max']];
  for (const [format, of] of Object.entries(packages)) {
    const names = Object.keys(of);
    for (const name of names) await coldStart(format, name, server.port);
    const reports = await interleave(names, rounds * 3, (name) => coldStart(format, name, server.port));
    const pickValues = (name, what) => reports[name].map((report) => report[what]);
    for (const name of names) {
      const [load, total] = ['load', 'total'].map((what) => spread(pickValues(name, what), 1));
      rows.push([`${format}: ${name === 'ours' ? 'payment-platform' : name}`, ...load, ...total]);
    }
    judge(`load / stripe (${format})`, ratios(pickValues('ours', 'load'), pickValues('stripe', 'load')), 0.2);
    judge(
      `load and first call / stripe (${format})`,
      ratios(pickValues('ours', 'total'), pickValues('stripe', 'total')),
      0.35,
    );
  }
  started.disconnect();
  print('cold start: ms of CPU of a new process, for the load of the package and for its first call', rows);
}

/**
 * Compares the last three measurements with the first three, to see whether the cost per payment grows with
 * the number of payments.
 */
const growth = (values) => median(values.slice(-3)) / median(values.slice(0, 3));

async function benchSandbox() {
  const { report } = await child('sandbox.mjs', 100_000);
  const of = (what) => report.map((batch) => batch[what]);
  print('sandbox: 100,000 Pix payments created and paid in process, in ten batches', [
    ['', 'median', 'min', 'max', 'last third / first'],
    ['µs of CPU per payment', ...spread(of('cpu'), 1), growth(of('cpu')).toFixed(2)],
    ['requests per second', ...spread(of('perSecond'), 0), growth(of('perSecond')).toFixed(2)],
    ['bytes per payment', ...spread(of('bytes'), 0), growth(of('bytes')).toFixed(2)],
  ]);
  judge('sandbox: CPU per payment, last third / first', [growth(of('cpu'))], 1.2);
  judge('sandbox: memory per payment, last third / first', [growth(of('bytes'))], 1.2);
  judge('sandbox: 5,000 requests per second / those there are', [5_000 / median(of('perSecond'))], 1);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}; ${rounds} rounds, interleaved`);
const benches = {
  create: benchCreate,
  durable: benchDurable,
  verify: benchVerify,
  receive: benchReceive,
  cold: benchColdStart,
  sandbox: benchSandbox,
  uploads: benchUploads,
};
if (options.against !== undefined) await benchAgainst(options.against);
for (const [name, bench] of Object.entries(options.against === undefined ? benches : {})) {
  if (options.only === undefined || options.only === name) await bench();
}
if (verdicts.length > 0) print('targets', [['', 'ratio', 'target', ''], ...verdicts]);
console.log('\nA ratio is the median of the ratios of each round.');
