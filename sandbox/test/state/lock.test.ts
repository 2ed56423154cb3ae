import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Lock } from '../../state/lock.js';

/** No process has this PID. */
const ended = '999999999';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('a sandbox takes over the state file lock that a killed process left', () => {
  // With an id after the process id, as 1.0.0-rc.1 wrote it, and without.
  for (const left of [ended, `${ended} first`]) {
    const path = join(folder(), 'state');
    writeFileSync(`${path}.lock`, left);
    const lock = new Lock(path);
    expect(() => new Lock(path)).toThrow(`is in use by the process ${process.pid}`);
    lock.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  }
});

test('a state file cannot be used while another process that runs has its lock', () => {
  const path = join(folder(), 'state');
  writeFileSync(`${path}.lock`, `${process.ppid} another`);
  expect(() => new Lock(path)).toThrow(`is in use by the process ${process.ppid}`);
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

test('two sandboxes of a process cannot use one state file under two paths', () => {
  const path = join(folder(), 'state');
  const lock = new Lock(path);
  expect(() => new Lock(relative('.', path))).toThrow(`is in use by the process ${process.pid}`);
  lock.release();
});
