import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../support/compile.js';
import { catchError } from '../support/engines.js';
import { openCard } from '../support/payments.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Lists the page's steps: a path, and hunks of kept, removed and added lines. */
const steps = [
  ...read('docs/maintainers/add-an-endpoint.md').matchAll(/```diff\n--- (\S+)\n([\s\S]*?)```/g),
].map(([, path = '', hunks = '']) => ({ path, hunks: hunks.split('@@\n') }));

/** Applies hunks to a file's content. Each hunk must match exactly once. */
function patched(text: string, hunks: readonly string[]): string {
  return hunks.reduce((before, hunk) => {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const side = (gone: string) =>
      lines
        .filter((line) => !line.startsWith(gone))
        .map((line) => line.slice(1))
        .join('\n');
    const [from, to] = [side('+'), side('-')];
    expect(before.split(from), from).toHaveLength(2);
    return before.replace(from, () => to);
  }, text);
}

const texts = Object.fromEntries(steps.map(({ path, hunks }) => [path, patched(read(path), hunks)]));

const generated = 'src/contract/generated/shapes.ts';

/** A copy of the sources with all steps applied and the generated files. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(root, 'test/docs/.contributing-'));
  for (const name of ['src', 'sandbox', 'tools/contract'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  // The copied manifest resolves imports such as #platform to the copy, not to the original sources.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const [path, text] of Object.entries(texts))
    if (/^(src|sandbox)\//.test(path)) writeFileSync(join(folder, path), text);
  execFileSync(process.execPath, ['--import', 'tsx', join(folder, 'tools/contract/main.ts')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('add-an-endpoint.md has seven steps, which together add at most 40 lines to the sources', () => {
  expect(steps).toHaveLength(7);
  const added = steps
    .filter(({ path }) => /^(src|sandbox)\//.test(path))
    .flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.split('\n')))
    .filter((line) => line.startsWith('+'));
  expect(added.length).toBeLessThanOrEqual(40);
});

test('the steps in add-an-endpoint.md compile together, but not without the schema, the handler or the wire format', () => {
  /** Copies a step's current file under another name, and a list that imports the copy. */
  const without = (list: string, step: string) => {
    const renamed = (path: string) => path.replace(/\.ts$/, '-without.ts');
    const name = (path: string) => path.split('/').slice(-2).join('/').replace('.ts', '.js');
    const text = read(list).replace(name(step), name(renamed(step)));
    return { [renamed(step)]: read(step), [renamed(list)]: text };
  };
  const forgotten = {
    ...without('src/contract/schemas.ts', 'src/contract/payments/schemas.ts'),
    ...without('sandbox/http/all-handlers.ts', 'sandbox/http/handlers/payment-handlers.ts'),
    'test/support/wire-forms-without.ts': read('test/support/wire-forms.ts'),
  };
  const lists = ['src/contract/schemas.ts', 'sandbox/http/all-handlers.ts'];
  const untouched = Object.fromEntries(lists.map((path) => [path, read(path)]));
  const written = { [generated]: readFileSync(join(folder, generated), 'utf8') };
  const all = { ...untouched, ...texts, ...written, ...forgotten };
  const printed = diagnose(all, { exactOptionalPropertyTypes: true });
  const failed = Object.entries(printed).filter(([, text]) => text !== '');
  expect(failed.map(([path]) => path).sort()).toEqual([
    'sandbox/http/all-handlers-without.ts',
    'src/contract/schemas-without.ts',
    'test/support/wire-forms-without.ts',
  ]);
  for (const [, text] of failed) expect(text).toContain('payments.refund');
});

describe('the new endpoint from add-an-endpoint.md', () => {
  test('works with the sandbox, also in a retry with the same idempotency key', async () => {
    const { PaymentPlatform, responseOf } = await import(join(folder, 'src/index.ts'));
    const { createSandbox } = await import(join(folder, 'sandbox/index.ts'));
    const sandbox = createSandbox({ fieldNames: { 'payment.refusalReason': 'why' } });
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const { id } = await platform.payments.create(openCard);
    sandbox.faults.add({ operation: 'payments.refund', phase: 'after-commit', fault: 'reset' });
    const refunded = await platform.payments.refund(id, { amount: 500 });
    expect(refunded).toMatchObject({ id, status: 'refunded' });
    const { idempotencyKey, attempts } = responseOf(refunded);
    expect(attempts).toBe(2);
    expect(await platform.payments.refund(id, { amount: 500 }, { idempotencyKey })).toEqual(refunded);
    const reused = await catchError(platform.payments.refund(id, { amount: 400 }, { idempotencyKey }));
    expect(reused).toMatchObject({ name: 'IdempotencyConflictError', outcome: 'not-executed' });
    const wrong = await catchError(platform.payments.refund('no-uuid', { amount: '5' }));
    expect(wrong).toMatchObject({ name: 'ValidationError', issues: [{ path: 'id' }, { path: 'amount' }] });
    await sandbox.close();
  });
});
