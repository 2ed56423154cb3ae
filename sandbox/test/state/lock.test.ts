import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
