import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Lock } from '../../state/lock.js';

/** No process has this PID. */
const ended = '999999999';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function starter(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'take-lock.ts'), { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void child.kill());
  await once(child, 'message');
  return child;
}

test('only one of three sandboxes takes over the state file lock that a killed process left', async () => {
  const starters = await Promise.all([starter(), starter(), starter()]);
  const path = folder();
  for (let round = 0; round < 300; round++) {
    const file = join(path, `state-${round}`);
    // The lock files come from this version, from the previous version, and from a start that was killed
    // while it replaced a lock.
    writeFileSync(`${file}.lock`, round % 3 === 0 ? ended : `${ended} first`);
    if (round % 3 === 2) writeFileSync(`${file}.lock.first`, `${ended} second`);
    const results = await Promise.all(
      starters.map(async (child) => {
        const message = once(child, 'message');
        child.send(file);
        return (await message)[0];
      }),
    );
    expect(results.filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});

test('a second sandbox with the same state file in one process is rejected until the first one has closed', () => {
  const path = join(folder(), 'state');
  const lock = new Lock(path);
  expect(() => new Lock(path)).toThrow(`is in use by the process ${process.pid}`);
  lock.release();
  new Lock(path).release();
});

test('a state file lock with the sandbox’s own process id is replaced, because containers reuse process ids', () => {
  const path = join(folder(), 'state');
  writeFileSync(`${path}.lock`, `${process.pid} another`);
  new Lock(path).release();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('a state file cannot be used while another process is creating its lock', () => {
  const path = join(folder(), 'state');
  writeFileSync(`${path}.lock`, '');
  expect(() => new Lock(path)).toThrow(
    `The file ${path} is in use. If that process is not a sandbox, remove ${path}.lock.`,
  );
});

/**
 * Takes a lock, and stops at a step as SIGKILL would: nothing is written afterwards. Returns whether there was
 * such a step.
 */
function takeAndDie(path: string, step: number, when: 'before' | 'halfway' | 'after'): boolean {
  const names = ['writeFileSync', 'linkSync', 'renameSync', 'rmSync'] as const;
  const originals = names.map((name) => [name, fs[name]] as const);
  let count = 0;
  const dead = new Error('killed');
  for (const [name, original] of originals) {
    const patched = (...parameters: readonly unknown[]) => {
      count += 1;
      const run = (...changed: readonly unknown[]) => (original as (...all: unknown[]) => void)(...changed);
      if (count > step || (count === step && when === 'before')) throw dead;
      // A file exists before its content is written.
      if (count === step && when === 'halfway' && name === 'writeFileSync') {
        const [file, , options] = parameters;
        run(file, '', options);
        throw dead;
      }
      run(...parameters);
      if (count === step) throw dead;
    };
    Object.assign(fs, { [name]: patched });
  }
  syncBuiltinESMExports();
  try {
    new Lock(path).release();
    return count >= step;
  } catch (error) {
    if (error !== dead) throw error;
    return true;
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
}

test.each(['before', 'halfway', 'after'] as const)(
  'a sandbox that is killed %s any step of taking a lock leaves a file that the next sandbox can use',
  (when) => {
    for (const previous of [undefined, `${ended} first`]) {
      let step = 1;
      for (; ; step++) {
        const path = join(folder(), 'state');
        if (previous !== undefined) writeFileSync(`${path}.lock`, previous);
        if (!takeAndDie(path, step, when)) break;
        const lock = new Lock(path);
        expect(() => new Lock(path)).toThrow('is in use');
        lock.release();
        expect(existsSync(`${path}.lock`)).toBe(false);
      }
      expect(step).toBeGreaterThan(2);
    }
  },
);

test('the lock works on a file system without hard links', () => {
  const original = fs.linkSync;
  onTestFinished(() => {
    Object.assign(fs, { linkSync: original });
    syncBuiltinESMExports();
  });
  const linkSync = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  Object.assign(fs, { linkSync });
  syncBuiltinESMExports();
  const path = join(folder(), 'state');
  const lock = new Lock(path);
  expect(() => new Lock(path)).toThrow(`is in use by the process ${process.pid}`);
  lock.release();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});
