import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testCards } from '../../index.js';
import { openCard, pay, pix, sandboxForTest, signal, startReceiver } from '../support.js';

const generic = 'transaction.status.updated';

afterEach(() => {
  // A spy would restore the timers it found, which are not the real timers.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a receiver that does not respond', () => {
  /** Replaces real timers, so that no test waits for them; sockets work as usual. */
  async function hanging(events: string[]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(() => 'hang');
    sandbox.webhooks.register({ url: receiver.url, events });
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    await pay(sandbox, openCard());
    await receiver.until(1);
    /** Lists the sandbox's active timers. The timers of fetch have other lengths. */
    const timersLeft = () =>
      set.mock.calls.filter(
        ([, time], call) =>
          [1_000, 30_000].includes(time ?? 0) &&
          !cleared.mock.calls.some(([timer]) => timer === set.mock.results[call]?.value),
      );
    return { sandbox, receiver, timersLeft };
  }

  test('times out after 30 seconds of real time', async () => {
    const { sandbox, timersLeft } = await hanging([generic]);
    expect(timersLeft()).toHaveLength(1);
    vi.advanceTimersByTime(29_999);
    expect(sandbox.webhooks.deliveries).toMatchObject([{ state: 'pending' }]);
    vi.advanceTimersByTime(1);
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries).toMatchObject([
      { state: 'failed', status: undefined, error: 'no response within 30 seconds' },
    ]);
    expect(timersLeft()).toEqual([]);
  });

  test('times out after 30 seconds on the sandbox’s clock if clock.advance moves that clock', async () => {
    const { sandbox, receiver, timersLeft } = await hanging([generic]);
    const advance = sandbox.clock.advance('1h');
    await receiver.until(4);
    await advance;
    expect(sandbox.webhooks.deliveries.map(({ at, error }) => [at, error])).toEqual([
      ['2026-01-01T00:00:00.000Z', 'no response within 30 seconds'],
      ['2026-01-01T00:01:00.000Z', 'no response within 30 seconds'],
      ['2026-01-01T00:02:30.000Z', 'no response within 30 seconds'],
      ['2026-01-01T00:05:00.000Z', 'no response within 30 seconds'],
    ]);
    expect(timersLeft()).toEqual([]);
  });

  test('does not time out if the sandbox’s clock moves by less than 30 seconds', async () => {
    const { sandbox } = await hanging([generic]);
    const advance = sandbox.clock.advance('29s');
    vi.advanceTimersByTime(1_000);
    await advance;
    expect(sandbox.webhooks.deliveries).toMatchObject([{ state: 'pending' }]);
  });

  test('delays the next notification', async () => {
    const { receiver } = await hanging(['transaction.paid', generic]);
    expect(receiver.events()).toEqual(['transaction.paid']);
    vi.advanceTimersByTime(30_000);
    await receiver.until(2);
    expect(receiver.events()).toEqual(['transaction.paid', generic]);
  });

  test('is disconnected when the sandbox is closed', async () => {
    const { sandbox, timersLeft } = await hanging(['transaction.paid', generic]);
    await sandbox.close();
    expect(sandbox.webhooks.deliveries).toMatchObject([{ state: 'failed', error: 'the sandbox was closed' }]);
    expect(timersLeft()).toEqual([]);
    await sandbox.clock.advance('1h');
    expect(sandbox.webhooks.deliveries).toHaveLength(1);
  });
});

describe('a slow receiver', () => {
  test('does not time out, because the sandbox’s clock waits for it', async () => {
    const sandbox = sandboxForTest();
    const { promise, fire } = signal<number>();
    const receiver = await startReceiver((nth) => (nth === 1 ? promise : 200));
    sandbox.webhooks.register({ url: receiver.url });
    await pay(sandbox, pix());
    const advance = sandbox.clock.advance('1h');
    await receiver.until(1);
    expect(sandbox.clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
    fire(200);
    await advance;
    expect(sandbox.webhooks.deliveries.map(({ event, at, state }) => [event, at, state])).toEqual([
      ['transaction.waiting_payment', '2026-01-01T00:00:00.000Z', 'delivered'],
      [generic, '2026-01-01T00:00:00.000Z', 'delivered'],
      ['transaction.expired', '2026-01-01T00:30:00.000Z', 'delivered'],
      [generic, '2026-01-01T00:30:00.000Z', 'delivered'],
    ]);
  });

  test('receives no new delivery before it has responded to the previous one', async () => {
    const sandbox = sandboxForTest();
    const { promise, fire } = signal<number>();
    const receiver = await startReceiver((nth) => (nth === 1 ? promise : 200));
    sandbox.webhooks.register({ url: receiver.url });
    const { body } = await pay(sandbox, pix());
    sandbox.control.payments.pay(String(body.id));
    await receiver.until(1);
    expect(receiver.received).toHaveLength(1);
    expect(sandbox.webhooks.deliveries).toMatchObject([{ state: 'pending', status: undefined }]);
    fire(500);
    await sandbox.webhooks.idle();
    expect(receiver.events()).toEqual(['transaction.waiting_payment', generic, 'transaction.paid', generic]);
  });

  test('receives retries of other deliveries, but no new deliveries, before it has responded', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sandbox = sandboxForTest();
    const { promise, fire } = signal<number>();
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : nth === 2 ? promise : 200));
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await pay(sandbox, openCard(testCards.approved, { externalId: 'first' }));
    await sandbox.clock.advance('10s');
    for (const externalId of ['second', 'third'])
      await pay(sandbox, openCard(testCards.approved, { externalId }));
    await receiver.until(2);
    const advance = sandbox.clock.advance('20s');
    vi.advanceTimersByTime(1_000);
    await advance;
    const orders = () => receiver.received.map(({ body }) => JSON.parse(body).externalReference);
    expect(orders()).toEqual(['first', 'second', 'first']);
    fire(200);
    await sandbox.webhooks.idle();
    expect(orders()).toEqual(['first', 'second', 'first', 'third']);
  });

  test('does not delay other endpoints', async () => {
    const sandbox = sandboxForTest();
    const { promise, fire } = signal<number>();
    const [slow, quick] = [await startReceiver(() => promise), await startReceiver()];
    for (const { url } of [slow, quick]) sandbox.webhooks.register({ url });
    await pay(sandbox, pix());
    await quick.until(2);
    expect(slow.received).toHaveLength(1);
    fire(200);
  });

  test('can call the sandbox before it responds', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(async (nth) => {
      if (nth === 1) await pay(sandbox, openCard());
      return 200;
    });
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(receiver.received.map(({ body }) => JSON.parse(body).status)).toEqual(['waiting_payment', 'paid']);
  });
});

test('a receiver whose response body never ends is disconnected after its status has arrived', async () => {
  const sandbox = sandboxForTest();
  const { promise: closed, fire } = signal();
  const server = createServer((_, response) => {
    response.on('close', () => fire());
    response.writeHead(200).write('and so on');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  sandbox.webhooks.register({ url: `http://127.0.0.1:${port}`, events: [generic] });
  await pay(sandbox, openCard());
  await sandbox.webhooks.idle();
  expect(sandbox.webhooks.deliveries).toMatchObject([{ status: 200, state: 'delivered' }]);
  await closed;
});

test('a closed sandbox sends nothing', async () => {
  const sandbox = sandboxForTest();
  const receiver = await startReceiver();
  sandbox.webhooks.register({ url: receiver.url });
  const { body } = await pay(sandbox, pix());
  await sandbox.webhooks.idle();
  await sandbox.close();
  sandbox.control.payments.pay(String(body.id));
  await sandbox.webhooks.idle();
  expect(sandbox.webhooks.deliveries).toHaveLength(2);
  expect(receiver.received).toHaveLength(2);
});
