import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, onTestFinished, test } from 'vitest';

const page = readFileSync(new URL('../../docs/first-payment.md', import.meta.url), 'utf8');
const programs = new Map(
  [...page.matchAll(/^```((?!sh)\w+)\n(.*?)^```/gms)].map(([, language = '', code = '']) => [language, code]),
);

const isThere = (program: string, flag = '--version') => spawnSync(program, [flag]).status === 0;
const hasDotnet = isThere('dotnet');

const languages = [
  { language: 'php', isInstalled: isThere('php'), file: 'pay.php', command: 'php pay.php' },
  { language: 'ruby', isInstalled: isThere('ruby'), file: 'pay.rb', command: 'ruby pay.rb' },
  { language: 'go', isInstalled: isThere('go', 'version'), file: 'pay.go', command: 'go run pay.go' },
  { language: 'java', isInstalled: isThere('javac'), file: 'Pay.java', command: 'java Pay.java' },
  {
    language: 'csharp',
    isInstalled: hasDotnet || (isThere('mcs') && isThere('mono')),
    file: 'Pay.cs',
    command: hasDotnet
      ? 'dotnet new console --name Pay --output . && mv Pay.cs Program.cs && dotnet run'
      : 'mcs -langversion:latest Pay.cs && mono Pay.exe',
  },
];

test('the page about the first payment has a program in each language', () => {
  expect([...programs.keys()]).toEqual(languages.map(({ language }) => language));
});

/** Runs a program in its own folder, with the page's command. */
async function run(
  { language, file, command }: (typeof languages)[number],
  url: string,
  clientSecret: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'first-payment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), programs.get(language) ?? '');
  return promisify(execFile)('sh', ['-c', command], {
    cwd: folder,
    env: {
      ...process.env,
      PAYMENT_PLATFORM_BASE_URL: url,
      PAYMENT_PLATFORM_CLIENT_ID: 'shop',
      PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
    },
  });
}

/** A gateway's page. Its status could be mistaken for a rejection by the platform. */
const gatewayPage = { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } };

/** The platform's rejection of wrong credentials. */
const rejection = { status: 401, body: { message: 'The credentials are invalid.' } };

for (const program of languages) {
  const { language, isInstalled } = program;
  const clientSecret = 'the-secret-of-a-shop';
  test.skipIf(!isInstalled)(
    `the ${language} program survives a lost response and a gateway’s page, and charges once`,
    async () => {
      await using sandbox = createSandbox({ clientId: 'shop', clientSecret });
      const { url } = await sandbox.listen();
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: gatewayPage });
      const { stdout } = await run(program, url, clientSecret);
      expect(stdout.trim().split(/\r?\n/).slice(-2)).toEqual(['waiting_payment', 'the same payment']);
      expect(sandbox.ledger.charges).toHaveLength(1);
      expect(sandbox.journal.requests).toHaveLength(4);
    },
  );

  test.skipIf(!isInstalled)(
    `the ${language} program reports an unknown outcome, and no rejection, if the retry after a lost response gets a 401`,
    async () => {
      await using sandbox = createSandbox({ clientId: 'shop', clientSecret });
      const { url } = await sandbox.listen();
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: rejection });
      const failed = await run(program, url, clientSecret).catch((error) => error);
      const printed = `${failed.stdout}${failed.stderr}`;
      expect(printed).toMatch(/the outcome is unknown, and the retry got 401 .*"message"/);
      expect(printed).not.toContain('rejected:');
      expect(sandbox.ledger.charges).toHaveLength(1);
    },
  );

  test.skipIf(!isInstalled)(
    `the ${language} program reports a rejection if only a rate limit came before it`,
    async () => {
      await using sandbox = createSandbox({ clientId: 'shop', clientSecret });
      const { url } = await sandbox.listen();
      sandbox.faults.add({ operation: 'payments.create', fault: { ...rejection, status: 429 } });
      sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: rejection });
      const failed = await run(program, url, clientSecret).catch((error) => error);
      expect(`${failed.stdout}${failed.stderr}`).toMatch(/rejected: 401 .*"message"/);
    },
  );

  test.skipIf(!isInstalled)(`the ${language} program prints the body of a rejection`, async () => {
    await using sandbox = createSandbox({ clientId: 'shop', clientSecret });
    const { url } = await sandbox.listen();
    const failed = await run(program, url, 'another-secret-of-a-shop').catch((error) => error);
    expect(`${failed.stdout}${failed.stderr}`).toMatch(/rejected: 401 .*"message"/);
  });
}
