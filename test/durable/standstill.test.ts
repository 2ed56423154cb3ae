import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, memoryPayments } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundledScript } from '../support/bundled-script.js';
import { durable, order, rejection } from '../support/durable.js';
import { eventually } from '../support/eventually.js';
import { sharedDatabases } from '../support/killable-payments.js';
import { atOneAddress, openPlace, paymentsSql } from '../support/payment-place.js';
import { rawServer } from '../support/raw-server.js';
import type { StoppedProcess } from '../support/stopped-payments.js';
import { testAuthority } from '../support/test-authority.js';
import { tlsPlatform } from '../support/tls-platform.js';

const key = 'order-1042';
const second = 1_000;

/**
 * Wraps a store so that it suspends this process after the given step, while the monotonic clock and the
 * store's clock continue.
 */
function standingStill(step: 'claim' | 'insert' | 'find', milliseconds: () => number) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = memoryPayments({ now: () => clock.now });
  const run = store[step].bind(store) as (...values: unknown[]) => unknown;
  store[step] = ((...values: unknown[]) => {
    const result = run(...values);
    clock.now += milliseconds();
    vi.advanceTimersByTime(milliseconds());
    return result;
  }) as never;
  return { store, clock };
}

describe('a durable payment whose process is suspended', () => {
  test('is released if too little of its lease is left, and the next claim sends it (row 83)', async () => {
    let still = 31 * second;
    const { store } = standingStill('claim', () => still);
    const { payments, sandbox, reported } = durable({ store });
    await payments.enqueue(order, { key });
    await payments.settleDue();
    expect(sandbox.journal.requests).toEqual([]);
    expect(await payments.find(key)).toMatchObject({ state: 'recorded', inDoubt: false });
    expect(reported.errors).toMatchObject([
      [{ message: expect.stringContaining('stood still') }, { during: 'claim', key }],
    ]);
    still = 29 * second;
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'settled' });
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('is not sent after giveUpAfter, and fails', async () => {
    const { store } = standingStill('claim', () => 11 * second);
    const { payments, sandbox, reported } = durable({
      store,
      timeout: 10 * second,
      giveUpAfter: 10 * second,
    });
    await payments.enqueue(order, { key });
    await payments.settleDue();
    expect(sandbox.journal.requests).toEqual([]);
    expect(reported.failed).toMatchObject([{ key, error: { code: 'deadline_passed' } }]);
  });

  test('is not sent after a long suspension during create’s insert', async () => {
    for (const giveUpAfter of [10 * second, 3_600 * second]) {
      const { store } = standingStill('insert', () => 40 * second);
      const { payments, sandbox } = durable({ store, timeout: 10 * second, giveUpAfter });
      expect(await rejection(payments.create(order, { key }))).toMatchObject({ record: { inDoubt: false } });
      expect(sandbox.journal.requests).toEqual([]);
    }
  });

  test('is not sent if settle’s claim takes too long', async () => {
    const { store } = standingStill('claim', () => 61 * second);
    const { payments, sandbox } = durable({ store });
    await payments.enqueue(order, { key });
    expect(await rejection(payments.settle(key))).toMatchObject({ record: { state: 'recorded' } });
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('is not sent if giveUpAfter passes while refresh reads the row', async () => {
    let still = 0;
    const { store } = standingStill('find', () => still);
    const { payments, sandbox } = durable({ store, timeout: 10 * second, giveUpAfter: 10 * second });
    await payments.create(order, { key });
    still = 11 * second;
    expect((await payments.refresh(key)).payment.status).toBe('waiting_payment');
    expect(sandbox.journal.requests).toHaveLength(1);
  });

  test('is sent without a suspension, even if the lease exceeds the timeout by only a millisecond', async () => {
    const { payments, sandbox } = durable({ timeout: 30 * second, lease: 30 * second + 1 });
    await payments.enqueue(order, { key });
    await payments.settleDue();
    expect(sandbox.ledger.charges).toHaveLength(1);
  });
});

/** Blocks this process for longer than the call's deadline. */
const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);

/** Starts a server that keeps its connections alive, and a client with a replaceable hook. */
async function client() {
  const body = JSON.stringify({ data: [] });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const server = await rawServer(({ socket }) => void socket.write(head + body));
  const hook = { onRequest: (): unknown => undefined };
  const platform = new PaymentPlatform({
    baseUrl: server.url,
    clientId: 'client-id-1042',
    clientSecret: 'client-secret-1042',
    maxRetries: 0,
    hooks: { onRequest: () => hook.onRequest() },
  });
  onTestFinished(async () => {
    platform.close();
    await server.close();
  });
  const pay = () =>
    rejection(
      platform.payments.create({ ...order, externalId: key }, { idempotencyKey: key, timeout: second }),
    );
  return { server, platform, hook, pay };
}

describe('a call that is blocked until after its deadline, before its first byte is sent', () => {
  const notSent = { name: 'TimeoutError', outcome: 'not-executed', attempts: 1 };

  test('sends nothing over a keep-alive connection', async () => {
    const { server, platform, hook, pay } = await client();
    await platform.webhooks.list();
    // The request exists after the microtasks, and gets a connection in the next tick.
    hook.onRequest = () => queueMicrotask(block);
    expect(await pay()).toMatchObject(notSent);
    await server.drained();
    expect(server.requests).toHaveLength(1);
  });

  test('sends nothing over a new connection', async () => {
    const { server, platform, hook, pay } = await client();
    await platform.warmUp();
    // Bytes arrive before the connection event. One poll reports both, without a timer between them.
    const blocking = createServer((socket) => void socket.on('data', block)).listen(0, '127.0.0.1');
    await once(blocking, 'listening');
    const writer = connect((blocking.address() as AddressInfo).port, '127.0.0.1');
    await once(blocking, 'connection');
    onTestFinished(() => {
      writer.destroy();
      blocking.close();
    });
    hook.onRequest = () => void writer.write('now');
    expect(await pay()).toMatchObject(notSent);
    await eventually(() => expect(server.connections).toBe(1));
    await server.drained();
    expect(server.requests).toHaveLength(0);
  });
});

/**
 * Puts a proxy in front of a TLS platform, and delivers the server's bytes while the client is suspended in
 * its handshake.
 */
async function stoppingHandshake(stop: () => void) {
  const authority = testAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.ca);
  const platform = await tlsPlatform(authority.issue('localhost'));
  const proxy = createServer((client) => {
    const upstream = connect(platform.port, '127.0.0.1');
    client.once('data', stop);
    client.on('error', () => undefined).pipe(upstream);
    upstream.on('error', () => undefined).pipe(client);
    client.once('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(async () => {
    proxy.close();
    await platform.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = proxy.address() as AddressInfo;
  return {
    baseUrl: `https://localhost:${port}`,
    env: { NODE_EXTRA_CA_CERTS: ca },
    requests: platform.requests,
  };
}

describe.each(sharedDatabases.map((database) => [database.name, database] as const))(
  'a worker with %s that is stopped by SIGSTOP for longer than its lease and giveUpAfter',
  (_, { isThere, create }) => {
    test.skipIf(!isThere).each([
      ['after its claim', true],
      ['while it connects', false],
    ] as const)(
      'does not send its payment after it resumes if it was stopped %s (row 83)',
      async (_, stopsAfterClaim) => {
        const script = await bundledScript(new URL('../support/stopped-payments.ts', import.meta.url));
        const database = await create();
        const place = database.place('payments');
        const opened = openPlace(place);
        const sandbox = createSandbox({ rateLimits: false });
        onTestFinished(async () => {
          await sandbox.close();
          await opened.close();
          await database.remove();
        });
        await opened.execute(paymentsSql(place));
        const server = await sandbox.listen({ allowedHosts: ['127.0.0.1'] });
        const platform = { ...server.clientOptions(), baseUrl: `http://127.0.0.1:${server.port}` };
        let child: ChildProcess | undefined;
        const secure = await stoppingHandshake(() => child?.kill('SIGSTOP'));
        // On a busy machine, the handshake can begin late. The timeout must not end the attempt before it.
        const times = { timeout: 1_500, lease: 3_000 };
        // A worker that cannot reach the platform claims the payment and later stops trying.
        const unreachable = new PaymentPlatform({
          ...platform,
          baseUrl: 'http://127.0.0.1:1',
          maxRetries: 0,
        });
        const payments = createDurablePayments(atOneAddress(unreachable), {
          store: opened.store,
          giveUpAfter: 3_000,
          retryDelay: 100,
          ...times,
        });
        const input: StoppedProcess = {
          place,
          platform: stopsAfterClaim ? platform : { ...platform, baseUrl: secure.baseUrl },
          stopsAfterClaim,
          ...times,
        };
        const env = { ...process.env, ...secure.env };
        child = fork(script, [JSON.stringify(input)], { execArgv: [], env });
        onTestFinished(() => void child?.kill('SIGKILL'));
        await once(child, 'message');
        await payments.enqueue(order, { key });
        child.send('settle');
        await eventually(() => expect(readState(child?.pid)).toBe('T'));
        await eventually(async () => {
          await payments.settleDue();
          expect((await payments.find(key))?.state).toBe('given_up');
        });
        expect(await payments.cancel(key)).toBe(true);
        await new PaymentPlatform(platform).payments.create(
          { ...order, externalId: key },
          { idempotencyKey: 'order-1042-again' },
        );
        child.kill('SIGCONT');
        await once(child, 'exit');
        expect(sandbox.ledger.charges).toHaveLength(1);
        expect(secure.requests).toEqual([]);
      },
    );
  },
);

/** Returns the state of a process: T means suspended. */
const readState = (pid: number | undefined) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];

test('settle returns the result of another process if that process claims the row first', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryPayments();
  const { payments, platform, sandbox } = durable({ store });
  const late = createDurablePayments(platform, { store, timeout: 500, lease: 1_000 });
  await payments.enqueue(order, { key });
  // Imitates a full pool or a suspended process. Another worker settles the row, and the claim comes after
  // the deadline.
  const claim = store.claim.bind(store);
  vi.spyOn(store, 'claim').mockImplementationOnce(async (wanted) => {
    await payments.settle(key);
    vi.advanceTimersByTime(second);
    return claim(wanted);
  });
  expect((await late.settle(key)).record.state).toBe('settled');
  expect(sandbox.ledger.charges).toHaveLength(1);
});
