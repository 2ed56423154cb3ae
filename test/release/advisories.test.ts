import { execFile } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { inlinedIn } from '../../tools/package/bundled.mjs';
import { startRegistry } from './registry.js';

let registry: Awaited<ReturnType<typeof startRegistry>> | undefined;
afterEach(() => registry?.close());

/** Runs the check against a registry. */
function check(url: string) {
  const env = { ...process.env, npm_config_registry: url, npm_config_fetch_retries: '0' };
  return new Promise<{ code: unknown; printed: string }>((resolve) =>
    execFile(process.execPath, ['tools/release/check-advisories.mjs'], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
    ),
  );
}

const advisory = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-0000-0000-0000',
  title: 'Anything may happen',
  severity: 'high',
  vulnerable_versions: '<99',
  cwe: [],
  cvss: { score: 7, vectorString: null },
};

test('the advisories check requests exactly the bundled packages, and exits with 0 if none has an advisory', async () => {
  registry = await startRegistry(() => ({ json: {} }));
  const { code, printed } = await check(registry.url);
  expect([code, printed]).toEqual([0, expect.stringContaining(', 0 vulnerabilities known.')]);
  const [request] = registry.requests;
  expect(request?.path).toBe('/-/npm/v1/security/advisories/bulk');
  const expected = inlinedIn(manifest).map(({ name, version }) => `${name}@${version}`);
  const body: Record<string, string[]> = JSON.parse(request?.body ?? '');
  const names = Object.entries(body).flatMap(([name, versions]) => versions.map((each) => `${name}@${each}`));
  expect(names.sort()).toEqual([...expected].sort());
});

test('the advisories check names a known vulnerability, and exits with 1', async () => {
  registry = await startRegistry(({ path }) =>
    path.endsWith('/bulk') ? { json: { ky: [advisory] } } : { status: 404, json: {} },
  );
  const { code, printed } = await check(registry.url);
  expect(code).toBe(1);
  expect(printed).toContain(
    `ky ${manifest.inlinedDependencies.ky} (high, <99): Anything may happen ${advisory.url}`,
  );
  expect(printed).toContain(', 1 vulnerabilities known.');
});

test('the advisories check exits with 3 if the registry does not serve advisories', async () => {
  registry = await startRegistry(() => ({ status: 405, json: {} }));
  const { code, printed } = await check(registry.url);
  expect(code).toBe(3);
  expect(printed).toMatch(/did not respond with advisories: 405 .*\nNothing was checked: \d+ packages/);
});

test('the advisories check exits with 3 if the registry cannot be reached', async () => {
  const { code, printed } = await check('http://127.0.0.1:9/');
  expect(code).toBe(3);
  expect(printed).toContain('Nothing was checked');
});
