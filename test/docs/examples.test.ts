import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const node = async (path: string) =>
  run(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), path], {
    cwd: root,
    timeout: 60_000,
    env: { ...process.env, NO_COLOR: '1' },
  });

describe('every example runs', () => {
  /** A line that only a correct run prints. */
  const expected: Record<string, string> = {
    'boleto.ts': 'application/pdf',
    'cards.ts': 'paid visa 1111',
    'lost-answer.ts': '2 requests, 1 charge',
    'other-endpoints.ts': 'GET /v1/certificates?type=apple_pay_payment_processing 200',
    'pix.ts': 'paid true 1',
    'webhook-receiver.ts': 'ship order-1042',
  };
  const files = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

  test.each(files)('%s', async (name) => {
    const { stdout, stderr } = await node(join('examples', name));
    expect(stderr).toBe('');
    expect(stdout).toContain(expected[name]);
  });
});

test('the demo: every check holds', async () => {
  const { stdout, stderr } = await node('examples/demo/main.ts');
  expect(stderr).toBe('');
  expect(stdout).not.toContain('✗');
  expect(stdout.match(/✓/g)?.length).toBeGreaterThanOrEqual(13);
  expect(stdout).toContain('Every check held');
});
