import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../test/support/free-port.js';
import type { Diagnosis } from '../../testing/index.js';
import { builtCommand, Running, run } from '../cli/support.js';
import { sandboxForTest } from '../support.js';
import { startGateway } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Starts a sandbox on this machine's clock, and the environment of a command that examines the sandbox. */
async function served() {
  const sandbox = sandboxForTest({ now: undefined });
  const { url } = await sandbox.listen();
  const { clientId, clientSecret } = sandbox.clientOptions();
  const env = {
    PAYMENT_PLATFORM_BASE_URL: url,
    PAYMENT_PLATFORM_CLIENT_ID: clientId,
    PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
  };
  return { sandbox, url, env };
}

test('doctor prints a line for each check, and exits with 0', async () => {
  const { env } = await served();
  const webhookUrl = `http://127.0.0.1:${await findFreePort()}/webhooks`;
  const ended = await run(command, ['doctor', '--charge', '--webhook-url', webhookUrl], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/^✓ ok {6}charge\.same-key {6}Two requests with one key: one payment, /m);
  expect(ended.stdout).toMatch(/^– skipped tls {18}http:\S+ is plain http\.$/m);
  expect(ended.stdout).toMatch(/\n25 ok, 0 warnings, 0 failed, 1 skipped\n$/);
  expect(ended.stdout).not.toContain(env.PAYMENT_PLATFORM_CLIENT_SECRET);
});

test('doctor --after-deploy runs the short checks, and none that compares payments', async () => {
  const { env, sandbox } = await served();
  const ended = await run(command, ['doctor', '--after-deploy', '--json'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const { ok, checks } = JSON.parse(ended.stdout) as Diagnosis;
  expect(ok).toBe(true);
  const names = checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['connect', 'auth.headers', 'clock', 'webhook.endpoint']));
  expect(names.filter((name) => /charge|drift/.test(name))).toEqual([]);
  expect(sandbox.ledger.charges).toEqual([]);
  const both = await run(command, ['doctor', '--after-deploy', '--charge'], { env });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--charge cannot be combined') });
});

test('doctor --after-deploy ends by its own limit if the platform never responds, although --timeout is longer', async () => {
  const { env } = await served();
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const args = ['doctor', '--after-deploy', '--json', '--base-url', `http://127.0.0.1:${port}`];
  const ended = await run(command, [...args, '--timeout', '2m'], { env });
  expect(ended).toMatchObject({ code: 1 });
});

/** Starts a gateway whose payments have another status and an undocumented field. */
const driftingGateway = (url: string) =>
  startGateway(url, {
    response(message, path) {
      if (path !== '/v1/payments' || message.status > 201) return;
      message.status = 202;
      const payment = JSON.parse(message.body.toString());
      message.body = Buffer.from(JSON.stringify({ ...payment, refusal_reason: {} }));
    },
  });

test('doctor prints the remedy and exits with 1 if a check fails, and reads the sandbox’s configuration file', async () => {
  const { env, url } = await served();
  const gateway = await startGateway(url, { request: ({ headers }) => delete headers['x-idempotency-key'] });
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'config.json');
  // Only the sandbox has the option `seed`.
  writeFileSync(config, JSON.stringify({ seed: 1, fieldNames: { 'payment.split': 'split_rules' } }));
  const args = ['doctor', '--charge', '--base-url', gateway, '--config', config];
  const ended = await run(command, args, { env });
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(ended.stdout).toMatch(
    /^✗ failed {2}charge\.same-key .*\n +→ Do not go live: a retry is a second charge\./m,
  );
  expect(ended.stdout).toContain('split_rules');
});

test('doctor prints a table of the platform’s differences, and the options to paste for them', async () => {
  const { env, url } = await served();
  const args = ['doctor', '--charge', '--base-url', await driftingGateway(url)];
  const { code, stdout } = await run(command, args, { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^payments\.create +refusal_reason +is probably the assumed name payment\.refusalReason$/m,
  );
  expect(stdout).toContain(
    '  fieldNames: {"payment.refusalReason":"refusal_reason"}, // client and sandbox\n',
  );
  expect(stdout).toContain('  statuses: {"paymentCreated":202,"paymentReplayed":202}, // sandbox\n');
});

test('doctor prints the diagnosis as JSON if --json is set', async () => {
  const { env, url } = await served();
  const args = ['doctor', '--json', '--charge', '--base-url', await driftingGateway(url)];
  const ended = await run(command, args, { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout.trim()).not.toContain('\n');
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ok: true,
    suggestion: { fieldNames: { 'payment.refusalReason': 'refusal_reason' } },
  });
});

test('doctor exits with 2 for invalid arguments', async () => {
  const { env } = await served();
  const staging = ['doctor', '--base-url', 'https://staging.platform.example', '--charge'];
  expect(await run(command, staging, { env })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      '--charge is not allowed on staging.platform.example: payments can be real there. If it is staging, add --i-know-this-is-staging.\n',
  });
  const unsafe = await run(command, ['doctor', '--webhook-url', 'http://shop.example'], { env });
  expect(unsafe).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--webhook-url must be an https URL'),
  });
  const { PAYMENT_PLATFORM_CLIENT_SECRET: _, ...incomplete } = env;
  const without = await run(command, ['doctor'], { env: incomplete });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('clientSecret is missing') });
});

test('doctor prints each check when it is known, while a later request still waits', async () => {
  const { env, sandbox } = await served();
  sandbox.faults.add({ operation: 'payments.create', fault: 'hang', times: 1_000 });
  const running = new Running(command, ['doctor', '--charge'], env);
  await running.until(/keep-alive/);
  expect(await running.end()).toMatchObject({ code: 2 });
});

test('doctor ends with a failed check if the platform accepts connections and never responds', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { env } = await served();
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const ended = await run(command, ['doctor', '--base-url', baseUrl, '--timeout', '300ms'], { env });
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(ended.stdout).toMatch(/^✗ failed {2}auth\.headers/m);
  expect(ended.stdout).toMatch(/^– skipped drift {16}The platform did not respond\.$/m);
});

test('doctor removes its webhook endpoint on Ctrl-C', async () => {
  const { sandbox, env } = await served();
  sandbox.webhooks.faults.add({ fault: 'drop', times: 1_000 });
  const webhookUrl = `http://127.0.0.1:${await findFreePort()}/webhooks`;
  const running = new Running(command, ['doctor', '--charge', '--webhook-url', webhookUrl], env);
  await running.until(/webhook\.endpoint.*was registered/);
  expect(sandbox.webhooks.endpoints).toHaveLength(1);
  expect(await running.end()).toEqual({
    code: 2,
    stderr: 'The diagnosis was interrupted. Payments stay, and on a platform an endpoint as well.\n',
  });
  expect(sandbox.webhooks.endpoints).toEqual([]);
});
