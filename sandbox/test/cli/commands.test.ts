import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../cli/failure.js';
import { createSandbox, type Sandbox, type SandboxServer, testCards } from '../../index.js';
import {
  call,
  keyNo,
  onboard,
  openCard,
  pay,
  pix,
  startOfYear,
  startReceiver,
  unknownId,
} from '../support.js';
import { builtCommand, Running, ran } from './support.js';

let command: string;
let sandbox: Sandbox;
let server: SandboxServer;
beforeAll(async () => {
  command = await builtCommand();
  sandbox = createSandbox({ now: startOfYear });
  server = await sandbox.listen();
});
afterAll(() => sandbox.close());

const cli = (...args: string[]) => ran([...args, '--url', server.url]);

const newPix = async () => String((await pay(sandbox, pix())).body.id);

describe('the commands for payments', () => {
  test('pay, refund, charge back, decline, cancel and expire a payment', async () => {
    const [paid, declined, cancelled, expired, back] = await Promise.all([1, 2, 3, 4, 5].map(newPix));
    const done = await cli('pay', paid ?? '');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^✓ paid pix payment [0-9a-f-]{36}, R\$\s19,90\n$/);
    await cli('refund', paid ?? '');
    await cli('refuse', declined ?? '');
    await cli('cancel', cancelled ?? '');
    await cli('expire', expired ?? '');
    sandbox.control.payments.pay(back ?? '');
    await cli('chargeback', back ?? '');
    const statuses = [paid, declined, cancelled, expired, back].map(
      (id) => sandbox.control.payments.retrieve(id ?? '').status,
    );
    expect(statuses).toEqual(['refunded', 'refused', 'cancelled', 'expired', 'chargedback']);
  });

  test('list the possible commands if a payment cannot be refunded', async () => {
    const id = await newPix();
    const ended = await cli('refund', id);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain('is waiting_payment');
    expect(ended.stderr).toContain('Possible now: pay, refuse, cancel, expire.');
  });

  test('say that an unknown payment does not exist', async () => {
    expect(await cli('pay', unknownId)).toMatchObject({ code: 4, stdout: '' });
    expect((await cli('pay', '../clock/advance')).code).toBe(4);
  });

  test('print one payment, or the list of payments', async () => {
    const id = await newPix();
    const shown = JSON.parse((await cli('show', id, '--json')).stdout);
    expect(shown).toMatchObject({ payment: { id }, transitions: ['pay', 'refuse', 'cancel', 'expire'] });
    const { stdout } = await cli('payments', '--status', 'waiting_payment');
    expect(stdout).toMatch(/^id +status +method/);
    expect(stdout).toContain(id);
    const listed = JSON.parse((await cli('payments', '--json', '--limit', '1')).stdout);
    expect(listed).toHaveLength(1);
  });

  test('resolve an unknown outcome', async () => {
    await pay(sandbox, openCard(testCards.unknown), 'unknown-1');
    expect(await cli('resolve', 'unknown-1', 'created')).toMatchObject({ code: 0 });
    expect(sandbox.ledger.chargesFor('unknown-1')).toHaveLength(1);
    expect((await cli('resolve', 'unknown-1', 'perhaps')).code).not.toBe(0);
  });
});

test('the command payments escapes control characters in the externalId that it prints', async () => {
  await pay(sandbox, pix({ externalId: '\u001b[2J\u202eevil\nsecond line' }));
  const { stdout } = await cli('payments');
  expect(stdout).toContain('\\u001b[2J\\u202eevil second line');
  expect(stdout).not.toContain('\u001b');
});

test('the commands approve-onboarding and reject-onboarding approve or reject a seller’s registration', async () => {
  const ids = await Promise.all(
    [1, 2].map(async (number) =>
      String((await onboard(sandbox, undefined, keyNo(number))).body.registration_id),
    ),
  );
  const approved = JSON.parse((await cli('approve-onboarding', ids[0] ?? '', '--json')).stdout);
  expect(approved).toMatchObject({ status: 'approved', internalId: expect.any(String) });
  expect((await cli('approve-onboarding', ids[0] ?? '')).code).toBe(5);
  expect(await cli('reject-onboarding', ids[1] ?? '', '--can-resubmit', '--reason', 'blurred')).toMatchObject(
    { code: 0 },
  );
  expect(sandbox.control.onboarding.retrieve(ids[1] ?? '')).toMatchObject({
    status: 'rejected',
    can_resubmit: true,
    reason: 'blurred',
  });
  expect((await cli('onboarding')).stdout).toContain('blurred');
});

test('the command verify-domain prints that the verification of a domain has failed', async () => {
  const { body } = await call(sandbox, '/v1/payment-method-domains', {
    body: { domainName: 'shop.example.com' },
  });
  const { content, path } = body.verificationFile as { content: string; path: string };
  const file = await startReceiver((_, request) => (request.path === path ? 200 : 404));
  const origin = new URL(file.url).origin;
  const ended = await cli('verify-domain', String(body.id), '--from', origin, '--json');
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'failed', domainName: 'shop.example.com' });
  expect(content.length).toBeGreaterThan(0);
});

test('the command advance moves the sandbox’s clock forward', async () => {
  const before = sandbox.clock.now().getTime();
  const ended = await cli('advance', '15m');
  expect(sandbox.clock.now().getTime() - before).toBe(15 * 60_000);
  expect(ended.stdout).toBe(`✓ it is ${sandbox.clock.now().toISOString()}\n`);
  expect(await cli('advance', 'soon')).toMatchObject({ code: 2 });
});

test('the command faults can add, list, remove and clear faults', async () => {
  const added = await cli('faults', 'add', '503', '--operation', 'payments.create', '--times', '2', '--json');
  expect(JSON.parse(added.stdout)).toMatchObject({ id: 1, left: 2 });
  expect((await pay(sandbox, pix())).status).toBe(503);
  await cli('faults', 'add', 'drop', '--delivery', '--event', 'transaction.paid', '--id', 'lost');
  expect((await cli('faults', 'list', '--delivery')).stdout).toContain('lost');
  expect((await cli('faults', 'list')).stdout).toMatch(/1 +\{"status":503\}/);
  expect((await cli('faults', 'remove', '1')).code).toBe(0);
  expect((await cli('faults', 'clear', '--delivery')).code).toBe(0);
  expect([sandbox.faults.pending, sandbox.webhooks.faults.pending]).toEqual([[], []]);
  const wrong = await cli('faults', 'add', 'explode', '--phase', 'never');
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("fault must be 'reset'");
});

test('faults clear removes the delivery faults as well, and only them with --delivery', async () => {
  await cli('faults', 'add', '503');
  await cli('faults', 'add', 'drop', '--delivery');
  const listed = await cli('faults', 'list');
  expect(listed.stdout).toContain(
    'Not listed: 1 delivery fault(s). Run payment-platform faults list --delivery.',
  );
  expect((await cli('faults', 'clear', '--delivery')).stdout).toBe('✓ the delivery faults are removed\n');
  expect([sandbox.faults.pending.length, sandbox.webhooks.faults.pending.length]).toEqual([1, 0]);
  await cli('faults', 'add', 'drop', '--delivery');
  expect((await cli('faults', 'clear')).stdout).toBe('✓ all faults are removed\n');
  expect([sandbox.faults.pending, sandbox.webhooks.faults.pending]).toEqual([[], []]);
});

test('the command deliveries lists the webhook deliveries, and the command resend sends one of them again', async () => {
  const receiver = await startReceiver();
  const { id } = sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'] });
  await pay(sandbox, openCard());
  await sandbox.webhooks.idle();
  const [delivery] = JSON.parse((await cli('deliveries', '--json', '--limit', '1')).stdout);
  expect(delivery).toMatchObject({ event: 'transaction.paid', state: 'delivered' });
  expect((await cli('resend', delivery.id)).code).toBe(0);
  await receiver.until(2);
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
  expect((await cli('deliveries', '--state', 'delivered')).stdout).toContain(receiver.url);
  sandbox.control.webhooks.remove(id);
});

test('the command journal prints the requests, and with --follow prints new ones until Ctrl-C', async () => {
  const following = new Running(command, [
    'journal',
    '--follow',
    '--json',
    '--url',
    server.url,
    '--limit',
    '1',
  ]);
  const first = JSON.parse(await following.line());
  await pay(sandbox, pix(), 'followed-1');
  await pay(sandbox, openCard(), 'followed-2');
  const next = [JSON.parse(await following.line()), JSON.parse(await following.line())];
  expect(next.map(({ number }) => number)).toEqual([first.number + 1, first.number + 2]);
  expect(next.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['followed-1', 'followed-2']);
  expect((await cli('journal')).stdout).toMatch(/201 POST \/v1\/payments payments\.create, key followed-2/);
});

test('the command status prints the sandbox’s URL and client id, but not its secret', async () => {
  const { stdout } = await cli('status');
  expect(stdout).toContain(`${server.url}/_sandbox/`);
  expect(stdout).toContain(sandbox.clientOptions().clientId);
  expect(stdout).not.toContain(sandbox.clientOptions().clientSecret);
});

test('a command reports "not found" for an id such as "..", which would change the request’s path', async () => {
  for (const id of ['.', '..']) {
    expect((await cli('pay', id)).code).toBe(4);
    expect((await cli('show', id)).code).toBe(4);
  }
});

test('journal --follow continues after a reset', async () => {
  const following = new Running(command, ['journal', '--follow', '--json', '--url', server.url]);
  await pay(sandbox, pix(), 'before-1');
  await following.until(/before-1/);
  await sandbox.reset();
  await pay(sandbox, pix(), 'after-1');
  expect((await following.until(/after-1/)).at(-1)).toContain('"number":1');
});

test('the command reset deletes the sandbox’s data', async () => {
  await newPix();
  expect(await cli('reset')).toMatchObject({ code: 0 });
  expect(sandbox.ledger.charges).toEqual([]);
});

describe('a command that finds no sandbox at its URL', () => {
  test('explains how to start a sandbox', async () => {
    const ended = await ran(['status', '--url', 'http://127.0.0.1:9']);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain(
      'No sandbox responds at http://127.0.0.1:9. Start one with `payment-platform sandbox`',
    );
  });

  test('rejects a server that is not a sandbox', async () => {
    const other = await startReceiver();
    const ended = await ran(['status', '--url', new URL(other.url).origin]);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('is not a sandbox');
  });

  test.each(['null', '[]', '"text"', '{"data":', ''])(
    'rejects a server whose response body is %j, which no sandbox sends',
    async (text) => {
      const other = createServer((_, response) => void response.end(text)).listen(0, '127.0.0.1');
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      expect(await ran(['pay', unknownId, '--url', url])).toMatchObject({ code: 3, stdout: '' });
    },
  );
});

test.each([
  [
    'docs/sandbox.md',
    ({ rejected, usage, unreachable, notFound, illegal }: typeof exitCodes) =>
      `The exit code is 0 for success, ${rejected} for a rejection, ${usage} for wrong arguments, ${unreachable} if no sandbox responded, ${notFound} for an unknown id, and ${illegal} if the status doesn't allow the change.`,
  ],
  [
    'docs/pt/sandbox.md',
    ({ rejected, usage, unreachable, notFound, illegal }: typeof exitCodes) =>
      `O código de saída é 0 (sucesso), ${rejected} (rejeição), ${usage} (argumentos inválidos), ${unreachable} (nenhum sandbox respondeu), ${notFound} (id desconhecido) ou ${illegal} (o status não permite a mudança).`,
  ],
])('%s states the exit codes of the command', (path, sentence) => {
  const page = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  expect(page).toContain(sentence(exitCodes));
});
