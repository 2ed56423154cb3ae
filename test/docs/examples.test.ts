import { execFile, spawnSync } from 'node:child_process';
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
  });

describe('the example prints its expected output', () => {
  /** A line that only a correct run prints. */
  const expected: Record<string, string> = {
    'apple-pay.ts': 'openssl verify: OK',
    'boleto.ts': 'application/pdf',
    'cards.ts': 'paid visa 1111',
    'lost-response.ts': '2 requests, 1 charge',
    'other-endpoints.ts': 'PATCH /path/from/your/contract 200',
    'onboarding.ts': 'rejected true\napproved\nValidationError',
    'pix.ts': 'paid true 1',
    'shared-token.ts': '10 calls, 1 token request',
    'split.ts': 'paid net 10001 divided 10001',
    'webhook-receiver.ts': 'ship order-1042',
  };
  const files = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

  /** Lists requirements of an example that this machine can lack. */
  const needs: Record<string, { what: string; isThere: boolean }> = {
    'apple-pay.ts': { what: 'openssl', isThere: spawnSync('openssl', ['version']).status === 0 },
    'shared-token.ts': { what: 'REDIS_URL', isThere: process.env.REDIS_URL !== undefined },
  };

  for (const name of files) {
    const { what, isThere } = needs[name] ?? { isThere: true };
    test.skipIf(!isThere)(what === undefined ? name : `${name} (needs ${what})`, async () => {
      const { stdout, stderr } = await node(join('examples', name));
      expect(stderr).toBe('');
      expect(expected[name]).toBeDefined();
      expect(stdout).toContain(expected[name]);
    });
  }
});

test('the demo prints that each of its checks has passed', async () => {
  const { stdout, stderr } = await node('examples/demo/main.ts');
  expect(stderr).toBe('');
  expect(stdout).not.toContain('✗');
  expect(stdout.match(/✓/g)?.length).toBeGreaterThanOrEqual(23);
  expect(stdout).toContain('All checks passed');
});
