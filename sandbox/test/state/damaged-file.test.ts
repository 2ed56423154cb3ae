import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../index.js';
import { loadFile } from '../../state/load-file.js';
import { pay, pix, sandboxForTest } from '../support.js';

function fileForTest(content: Buffer | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-damaged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.state');
  writeFileSync(file, content);
  return file;
}

/** A file with a first part, followed by two payments. */
let written: Buffer;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-damaged-'));
  const stateFile = join(folder, 'sandbox.state');
  const sandbox = createSandbox({ stateFile });
  await pay(sandbox, pix(), 'key-1');
  await pay(sandbox, pix(), 'key-2');
  await sandbox.close();
  written = readFileSync(stateFile);
  rmSync(folder, { recursive: true });
});

const lines = () => written.toString().split('\n').slice(0, -1);
const joinLines = (value: readonly string[]) => value.map((line) => `${line}\n`).join('');

/** Loads a file, and returns its state or the error's message. */
function loaded(content: Buffer | string): string {
  const file = fileForTest(content);
  try {
    return JSON.stringify(loadFile(file)?.parts);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message.replace(file, 'FILE');
  }
}

/** Returns the number of charges in a file; undefined if the file is rejected. */
function charges(content: Buffer | string): number | undefined {
  const parts = /^\{/.test(loaded(content)) ? JSON.parse(loaded(content)) : undefined;
  return parts === undefined ? undefined : (parts['merchant 1/payments'] ?? parts.payments ?? []).length;
}

const plain =
  /^The file FILE (is damaged in line \d+|was cut after line \d+, in its first part): put a copy|^The file FILE is not the state of a sandbox, or its first line is damaged\.$/;

describe('a damaged state file', () => {
  test('never loads different data after one of its bits was flipped', () => {
    const whole = loaded(written);
    const file = fileForTest('');
    const rejections = new Set<string>();
    for (let at = 0; at < written.length; at += 3) {
      const changed = Buffer.from(written);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, changed);
      try {
        expect([at, JSON.stringify(loadFile(file)?.parts) === whole]).toEqual([at, true]);
      } catch (error) {
        const message = (error as Error).message.replace(file, 'FILE');
        expect(message).toMatch(plain);
        rejections.add(message);
      }
    }
    expect(rejections.size).toBeGreaterThanOrEqual(lines().length);
  });

  test('is rejected if it ends within its first part, and loaded if it ends later', () => {
    const first = lines().findIndex((line) => line.endsWith(' []'));
    const size = joinLines(lines().slice(0, first + 1)).length;
    const outcomes = new Set<string | undefined>();
    for (let length = 1; length < written.length; length += 13) {
      const outcome = loaded(written.subarray(0, length));
      if (length < size) expect(outcome).toMatch(plain);
      else outcomes.add(outcome);
    }
    expect(outcomes.has(undefined)).toBe(false);
    expect([...outcomes].every((outcome) => outcome?.startsWith('{'))).toBe(true);
  });

  test('is rejected if lines are missing, doubled or reordered, and the error names the line', () => {
    const all = lines();
    const last = all.length;
    const without = [...all.slice(0, last - 3), ...all.slice(last - 2)];
    expect(loaded(joinLines(without))).toContain(`is damaged in line ${last - 2}`);
    expect(loaded(joinLines([...all, all.at(-1) ?? '']))).toContain(`is damaged in line ${last + 1}`);
    expect(loaded(joinLines([...all.slice(0, 2), all[3] ?? '', all[2] ?? '', ...all.slice(4)]))).toContain(
      'is damaged in line 3',
    );
  });

  test('is rejected if its last line break is damaged', () => {
    const changed = Buffer.from(written);
    changed[changed.length - 1] = 11;
    expect(loaded(changed)).toContain(`is damaged in line ${lines().length}`);
  });

  test('that has no checksums is loaded, and checksums are added to it', async () => {
    const old = joinLines(
      lines()
        .filter((line) => !line.endsWith(' []'))
        .map((line) => line.slice(17)),
    );
    expect(old).toMatch(/^\{"format"/);
    const file = fileForTest(old);
    const sandbox = sandboxForTest({ now: undefined, stateFile: file });
    expect(sandbox.ledger.charges).toHaveLength(2);
    expect(charges(readFileSync(file))).toBe(charges(written));
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{16} \{"format"/);
  });

  test('without checksums is rejected if it lacks the credentials and the merchants', () => {
    const old = lines().map((line) => line.slice(17));
    for (const count of [1, 5]) {
      expect(loaded(joinLines(old.slice(0, count)))).toMatch(
        /^The file FILE is not whole: it has no .*credentials and no merchants; put a copy in its place/,
      );
    }
  });
});
