import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSandbox, type SandboxServer } from 'payment-platform/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Inside the project, so that the samples import the package by its name.
const folder = mkdtempSync(join(root, 'test/docs/.blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);

/** The TypeScript samples of all pages. Portuguese ones differ in their comments alone. */
const samples = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```ts( [^\n]*)?\n(.*?)^```/gms)].map(
      ([, info = '', code = ''], index) => ({ page, index: index + 1, info: info.trim(), code }),
    ),
  );

/** What the comments behind `console.log` say that it prints. */
const promisedBy = (code: string) =>
  [...code.matchAll(/console\.log\(.*\)[;,]?.*?\/\/ (.*)$/gm)].map(([, comment = '']) => comment);

/** Runs a sample as a person would, against a sandbox. @returns the lines that it prints, in any order */
async function linesOf(name: string, code: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const path = join(folder, name);
  writeFileSync(path, code);
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), path], {
    cwd: root,
    timeout: 60_000,
    env: { ...process.env, ...environment },
  });
  // Handlers print in their own time.
  return stdout.trim().split('\n').sort();
}

test('a sample runs, or says why not', () => {
  const known = /^(run|run postgres|not-run="[^"]+")?$/;
  expect(samples.filter(({ info }) => !known.test(info))).toEqual([]);
  const reasons = samples.filter(({ info }) => info.startsWith('not-run')).length;
  process.stdout.write(
    `${samples.length} samples, ${reasons} of them with the reason why they are not run\n`,
  );
  expect(reasons / samples.length).toBeLessThan(0.3);
});

describe('each sample that promises its output prints it', () => {
  test.concurrent.each(samples.filter(({ info }) => info === 'run'))(
    '$page, $index',
    async ({ page, index, code }) => {
      expect(await linesOf(`${page}-${index}.ts`, code, {})).toEqual(promisedBy(code).sort());
    },
  );
});

describe('each other sample runs to its end, with the sandbox as the platform', () => {
  const sandbox = createSandbox();
  let server: SandboxServer;
  beforeAll(async () => {
    server = await sandbox.listen();
  });
  afterAll(() => sandbox.close());

  test.concurrent.each(samples.filter(({ info }) => info === ''))(
    '$page, $index',
    async ({ page, index, code }) => {
      const { baseUrl, clientId, clientSecret } = server.clientOptions();
      await linesOf(`${page}-${index}.mts`, code, {
        PAYMENT_PLATFORM_BASE_URL: baseUrl,
        PAYMENT_PLATFORM_CLIENT_ID: clientId,
        PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
        WEBHOOK_SECRET: 'a-secret-of-16-to-256-characters',
      });
    },
  );
});
