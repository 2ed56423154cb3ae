import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { useSandbox } from '../../testing/index.js';
import { pay, pix } from '../support.js';

describe('useSandbox', () => {
  // Hooks run in reverse order, so this hook runs after the sandbox was closed.
  afterAll(() => expect(sandbox.listen()).rejects.toThrow('The sandbox is closed.'));
  const sandbox = useSandbox({ hooks: { afterEach, afterAll } });
  const ids: unknown[] = [];

  test.each([1, 2])('resets the sandbox after each test: test %d', async () => {
    expect(sandbox.ledger.charges).toEqual([]);
    ids.push((await pay(sandbox, pix(), 'key-1')).body.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('rejects wrong options, and a test runner without hooks', () => {
    const hooks = { afterEach: () => undefined, afterAll: () => undefined };
    expect(() => useSandbox({ hooks, sed: 1 } as object)).toThrow('Did you mean seed?');
    expect(() => useSandbox()).toThrow('useSandbox({ hooks: { afterAll, afterEach } })');
  });
});

test('useSandbox works under node:test without hooks, and does not keep the process alive', async () => {
  const script = fileURLToPath(new URL('./under-node-test.ts', import.meta.url));
  const { VITEST, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', '--test', '--test-reporter=tap', script], {
    env,
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(printed).toContain('# pass 3');
  expect(code).toBe(0);
});

test('a listening sandbox keeps a plain Node process alive', async () => {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      "const { createSandbox } = await import('./sandbox/index.ts'); console.log((await createSandbox().listen()).url);",
    ],
    { cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
  );
  const [line] = await once(child.stdout, 'data');
  expect((await fetch(`${String(line).trim()}/v1/webhooks`)).status).toBe(401);
  expect(child.exitCode).toBe(null);
  child.kill();
});
