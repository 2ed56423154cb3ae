import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../index.js';
import { call, form, keyNo, naturalPerson, onboard, openCard, pay, pix, sandboxForTest } from '../support.js';

function fileForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'sandbox.state');
}

const opened = (stateFile: string) => sandboxForTest({ now: undefined, stateFile });

/** Opens a copy of the current file without closing the first sandbox, as after `kill -9`. */
function afterKill(file: string): Sandbox {
  const copy = fileForTest();
  writeFileSync(copy, readFileSync(file));
  return opened(copy);
}

describe('a state file', () => {
  test('contains every change before its response is sent', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    const first = await pay(sandbox, pix(), 'key-1');
    const next = afterKill(file);
    expect(next.ledger.charges).toEqual(sandbox.ledger.charges);
    expect((await pay(next, pix(), 'key-1')).body).toEqual(first.body);
    expect(next.clock.now()).toEqual(sandbox.clock.now());
  });

  test('contains changes by a control method, the clock and an onboarding', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    const { body } = await pay(sandbox, pix());
    const waiting = await pay(sandbox, pix());
    const registration = await onboard(sandbox);
    sandbox.control.payments.pay(String(body.id));
    await sandbox.clock.advance('31m');
    const next = afterKill(file);
    expect(next.control.payments.list().map(({ status }) => status)).toEqual(['paid', 'expired']);
    expect(next.control.payments.details(String(waiting.body.id)).history).toHaveLength(2);
    const id = String(registration.body.registration_id);
    expect(next.control.onboarding.retrieve(id).status).toBe('approved');
    expect(Object.keys(next.control.onboarding.documents(id))).toEqual(['cnhCompleta', 'selfie']);
    expect(naturalPerson.selfie).toEqual(next.control.onboarding.documents(id).selfie?.bytes);
  });

  test('is readable only by its owner', () => {
    const file = fileForTest();
    sandboxForTest({ stateFile: file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is loaded without its last line if that line was truncated', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    await pay(sandbox, pix(), 'key-1');
    const before = statSync(file).size;
    await pay(sandbox, pix(), 'key-2');
    const bytes = readFileSync(file);
    const made = new Set<number>();
    for (let size = before; size <= bytes.length; size += 37) {
      writeFileSync(`${file}.cut`, bytes.subarray(0, size));
      const next = opened(`${file}.cut`);
      made.add(next.ledger.charges.length);
      expect((await pay(next, pix(), 'key-2')).status).toBeLessThan(300);
      await next.close();
      const again = opened(`${file}.cut`);
      expect(again.ledger.charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key-1', 'key-2']);
      await again.close();
    }
    expect([...made]).toEqual([1, 2]);
  });

  test('starts a new sandbox if it is empty or missing', async () => {
    const file = fileForTest();
    writeFileSync(file, '');
    const first = opened(file);
    await pay(first, pix());
    await first.close();
    expect(opened(file).ledger.charges).toHaveLength(1);
  });

  test.each<[string, string, RegExp]>([
    ['a file of a different kind', '{"name":"my-project"}\n', /is not the state of a sandbox/],
    [
      'a file of a different kind without a line break',
      '{"name":"my-project"}',
      /is not the state of a sandbox/,
    ],
    ['a picture', '\x89PNG\r\n\x1a\n', /is not the state of a sandbox/],
    [
      'a state file of another version',
      '{"format":"payment-platform-sandbox","version":9,"seed":1}\n',
      /is of version 9, and this package reads version 1 only/,
    ],
    [
      'damaged in the middle',
      '{"format":"payment-platform-sandbox","version":1,"seed":1}\n[["payments","a"\n[]\n',
      /is damaged in line 2/,
    ],
  ])('is rejected and stays unchanged if it is %s', (_, text, message) => {
    const file = fileForTest();
    writeFileSync(file, text);
    expect(() => opened(file)).toThrow(TypeError);
    expect(() => opened(file)).toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('is rejected if its folder is missing, and the error names the path', () => {
    expect(() => opened('/no/such/folder/file')).toThrow('/no/such/folder/file');
  });

  test('is rewritten in a shorter form when it has grown, and no temporary file remains', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file, rateLimits: false });
    const document = new Uint8Array(700_000);
    for (let number = 1; number <= 3; number++)
      await onboard(sandbox, { ...naturalPerson, selfie: document }, keyNo(number));
    const ids = sandbox.control.onboarding.list().map(({ registration_id }) => registration_id);
    const sizes: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      for (const id of ids) {
        sandbox.control.onboarding.reject(id, { canResubmit: true });
        const body = form({ selfie: document });
        await call(sandbox, `/v2/submerchants/onboarding/${id}/resend-documents`, { body });
      }
      sizes.push(statSync(file).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(12_000_000);
    expect(readdirSync(join(file, '..'))).toEqual(['sandbox.state', 'sandbox.state.lock']);
    expect(afterKill(file).control.onboarding.list()).toEqual(sandbox.control.onboarding.list());
  });

  test('is not overwritten if another process changed or removed it, and requests return a 500', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    appendFileSync(file, '[]\n');
    const rejected = await pay(sandbox, pix());
    expect(rejected.status).toBe(500);
    expect(rejected.body.error?.message).toContain('another process');
    const moved = fileForTest();
    const other = sandboxForTest({ stateFile: moved });
    renameSync(moved, `${moved}.old`);
    rmSync(`${moved}.old`);
    expect((await pay(other, pix())).status).toBe(500);
    expect(existsSync(moved)).toBe(false);
    for (const unsaved of [sandbox, other])
      await expect(unsaved.close()).rejects.toThrow('cannot be written');
  });

  test('stores a reset, so that the payments before it stay deleted after a restart', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    await pay(sandbox, openCard());
    await sandbox.reset();
    await pay(sandbox, pix());
    const next = afterKill(file);
    expect(next.ledger.charges.map(({ paymentMethod }) => paymentMethod)).toEqual(['pix']);
    expect(next.clientOptions().clientSecret).toBe(sandbox.clientOptions().clientSecret);
  });

  test('cannot be combined with the option state', () => {
    const sandbox = sandboxForTest();
    const state = sandbox.save();
    expect(() => sandboxForTest({ state, stateFile: fileForTest() })).toThrow('exclude each other');
  });

  test('stays unchanged while its folder is missing, and is written again when the folder is back', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    await pay(sandbox, pix(), 'key-1');
    const before = readFileSync(file);
    const folder = join(file, '..');
    // No new file can be created in the sandbox's folder.
    const moved = `${folder}.moved`;
    renameSync(folder, moved);
    await expect(sandbox.reset()).rejects.toThrow('cannot be written');
    expect((await pay(sandbox, pix(), 'key-2')).status).toBe(500);
    expect(readFileSync(join(moved, 'sandbox.state'))).toEqual(before);
    renameSync(moved, folder);
    expect((await pay(sandbox, pix(), 'key-3')).status).toBe(201);
    expect(afterKill(file).ledger.charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'key-2',
      'key-3',
    ]);
  });

  test('is rejected while another live process uses it', async () => {
    const file = fileForTest();
    await sandboxForTest({ stateFile: file }).close();
    writeFileSync(`${file}.lock`, String(process.ppid));
    expect(() => opened(file)).toThrow(`is in use by the process ${process.ppid}`);
    writeFileSync(`${file}.lock`, '999999999');
    expect((await pay(opened(file), pix())).status).toBe(201);
  });

  test('is unlocked when the sandbox closes', async () => {
    const file = fileForTest();
    const sandbox = sandboxForTest({ stateFile: file });
    await sandbox.close();
    expect(readdirSync(join(file, '..'))).toEqual(['sandbox.state']);
  });

  test('must not be a folder, a device or a file with a string from save()', () => {
    const file = fileForTest();
    const saved = `${JSON.stringify(sandboxForTest().save())}\n`;
    writeFileSync(file, saved);
    for (const fresh of [false, true]) {
      expect(() => sandboxForTest({ now: undefined, stateFile: file, fresh })).toThrow(
        'is a result of save(), written as JSON',
      );
      expect(() => sandboxForTest({ stateFile: '/dev/null', fresh })).toThrow('is not a regular file');
      expect(() => sandboxForTest({ stateFile: tmpdir(), fresh })).toThrow('is not a regular file');
    }
    expect(readFileSync(file, 'utf8')).toBe(saved);
  });

  test('can be a symbolic link, whose target is then readable only by its owner', async () => {
    const file = fileForTest();
    await sandboxForTest({ stateFile: file }).close();
    const link = `${file}.link`;
    symlinkSync(file, link);
    await pay(opened(link), pix());
    expect(readlinkSync(link)).toBe(file);
    expect(afterKill(file).ledger.charges).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is emptied by the option fresh, but not if another option is invalid', async () => {
    const file = fileForTest();
    const first = sandboxForTest({ stateFile: file });
    await pay(first, pix());
    await first.close();
    const options = { stateFile: file, fresh: true };
    expect(() => sandboxForTest({ ...options, now: 'garbage' })).toThrow('now must be a time');
    expect(afterKill(file).ledger.charges).toHaveLength(1);
    const second = sandboxForTest(options);
    expect(second.ledger.charges).toEqual([]);
    expect(() => sandboxForTest({ fresh: true })).toThrow('fresh needs stateFile');
  });
});
