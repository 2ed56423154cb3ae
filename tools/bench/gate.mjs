/**
 * Compares this build with the last release, or with `--against REF`: `npm run verify -- --only speed`. Fails
 * if a call or a delivery costs more than 1.1 times the CPU time. Skipped without a release and without
 * history. `--plant 0.1` wastes a tenth more on this side, to show that the check fails.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { git, lastRelease } from '../release/last-release.mjs';
import baseline from './baseline.json' with { type: 'json' };
import { deliver, startServer } from './loopback.mjs';
import { median } from './samples.mjs';

const limit = 1.1;
/** How many more processes must be on one side of the limit than on the other. */
const lead = 5;
const most = 21;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values: options } = parseArgs({
  options: { against: { type: 'string' }, plant: { type: 'string', default: '0' } },
});
const root = path('../..');
const here = join(root, 'dist');
const planted = Number(options.plant);

/**
 * Finds the commit to compare with: the value of `--against`, or the last release, or `baseline.commit`
 * before the first release. Undefined if the git history does not contain the commit.
 */
function released() {
  const commit = options.against ?? lastRelease(root) ?? baseline.commit;
  return git(root, 'rev-parse', '--verify', `${commit}^{commit}`)?.trim();
}

/** Builds a commit in a separate folder, with the packages installed here. Returns the folder. */
function buildCommit(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'against-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  execFileSync(join(root, 'node_modules/.bin/tsup'), ['--no-dts'], { cwd: folder, stdio: 'ignore' });
  const dist = join(folder, 'dist');
  if (!existsSync(join(dist, 'index.js')))
    throw new Error(`${commit} cannot be built: it has no dist/index.js`);
  return dist;
}

/** Runs a measurement in a new process, and returns the cost that it reports. */
async function measure(program, ...args) {
  const child = fork(path(program), args.map(String));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ${args[0]} ended with ${code} and no report`);
  });
  ended.catch(() => undefined);
  for (;;) {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    if (message.cost !== undefined) return message.cost;
    await deliver(message.deliver, 100);
    child.send('delivered');
  }
}

/** Compares the first calls of new processes, in pairs. */
async function firstCalls(there, port) {
  const first = (dist, extra) => measure('first-call.mjs', `${dist}/index.js`, port, extra);
  const ratios = [];
  for (let pair = 0; pair < 8; pair++) {
    const before = pair % 2 === 0 ? undefined : await first(there, 0);
    const own = await first(here, planted);
    ratios.push(own / (before ?? (await first(there, 0))));
  }
  return median(ratios);
}

const commit = released();
if (commit === undefined) {
  console.log(
    `skipped: speed (the history of this checkout lacks ${options.against ?? `a release, and ${baseline.commit.slice(0, 12)}`})`,
  );
  process.exit();
}
const there = buildCommit(commit);
const { port, stop } = await startServer();
const kinds = ['create', 'create over fetch', 'receive'];
const measures = {
  ...Object.fromEntries(
    kinds.map((what) => [what, () => measure('side-by-side.mjs', what, here, there, port, planted)]),
  ),
  'first call': () => firstCalls(there, port),
};
console.log(`CPU relative to ${commit.slice(0, 12)}; at most ${limit}`);
for (const [what, compare] of Object.entries(measures)) {
  const ratios = [];
  for (let balance = 0; Math.abs(balance) < lead && ratios.length < most; ) {
    ratios.push(await compare());
    balance += ratios.at(-1) > limit ? 1 : -1;
  }
  const isSlow = median(ratios) > limit;
  const ratio = median(ratios).toFixed(3);
  console.log(`${what}: ${ratio} in ${ratios.length} processes, ${isSlow ? `more than ${limit}` : 'holds'}`);
  if (isSlow) process.exitCode = 1;
}
stop();
