import { describe, expect, test } from 'vitest';
import { verify, type WebhookVerificationError } from '../../../src/webhooks/index.js';
import type { DeliveryFaultRule, Sandbox } from '../../index.js';
import { call, pay, pix, type Received, sandboxForTest, startReceiver } from '../support.js';

const secret = 'a-secret-of-the-merchant';
const paid = 'transaction.paid';
const waiting = 'transaction.waiting_payment';

/** Starts a sandbox with one endpoint for some events. */
async function delivering(events: readonly string[] = [waiting, paid], options = {}) {
  const sandbox = sandboxForTest(options);
  const receiver = await startReceiver();
  const endpoint = sandbox.webhooks.register({ url: receiver.url, events, secret });
  return { sandbox, receiver, endpoint };
}

const attempts = (sandbox: Sandbox) =>
  sandbox.webhooks.deliveries.map(({ event, attempt, state, status, error, fault }) => ({
    event,
    attempt,
    state,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(fault !== undefined && { fault }),
  }));

/** Returns a receiver's reason to reject a delivery; undefined if the receiver accepts the delivery. */
function findRejection(sandbox: Sandbox, { body, headers }: Received, secrets = secret): string | undefined {
  try {
    verify({ body, headers }, { secret: secrets, now: () => sandbox.clock.now() });
    return undefined;
  } catch (error) {
    return (error as WebhookVerificationError).reason;
  }
}

const noResponse = 'no response within 30 seconds';

describe('a delivery fault, seen by the receiver and in the list of deliveries', () => {
  test('drop: nothing arrives, the attempt fails, and the retry arrives', async () => {
    const { sandbox, receiver } = await delivering();
    sandbox.webhooks.faults.add({ fault: 'drop' });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(receiver.received).toEqual([]);
    const lost = { state: 'failed', error: 'a fault dropped the request', fault: 'drop' };
    expect(attempts(sandbox)).toEqual([{ event: waiting, attempt: 1, ...lost }]);
    await sandbox.clock.advance('30s');
    expect(receiver.events()).toEqual([waiting]);
    expect(attempts(sandbox)[1]).toEqual({ event: waiting, attempt: 2, state: 'delivered', status: 200 });
  });

  test('delay of less than 30 seconds: the delivery arrives late, and others overtake it', async () => {
    const { sandbox, receiver } = await delivering();
    sandbox.webhooks.faults.add({ event: waiting, fault: 'delay', delay: '20s' });
    const { body } = await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(attempts(sandbox)).toEqual([{ event: waiting, attempt: 1, state: 'pending', fault: 'delay' }]);
    sandbox.control.payments.pay(String(body.id));
    await sandbox.webhooks.idle();
    expect(receiver.events()).toEqual([paid]);
    await sandbox.clock.advance('20s');
    expect(receiver.events()).toEqual([paid, waiting]);
    expect(receiver.received.map((delivery) => findRejection(sandbox, delivery))).toEqual([
      undefined,
      undefined,
    ]);
    await sandbox.clock.advance('10m');
    expect(attempts(sandbox).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  test('delay of ten minutes: a retry arrives first, and then a request with an old timestamp', async () => {
    const { sandbox, receiver } = await delivering([waiting]);
    sandbox.webhooks.faults.add({ fault: 'delay', delay: '10m' });
    await pay(sandbox, pix());
    await sandbox.clock.advance('60s');
    expect(receiver.received).toHaveLength(1);
    expect(attempts(sandbox)).toEqual([
      { event: waiting, attempt: 1, state: 'failed', error: noResponse, fault: 'delay' },
      { event: waiting, attempt: 2, state: 'delivered', status: 200 },
    ]);
    await sandbox.clock.advance('9m');
    const [, late] = receiver.received;
    expect(late && findRejection(sandbox, late)).toBe('timestamp-too-old');
    expect(attempts(sandbox)).toHaveLength(2);
    expect(attempts(sandbox)[0]?.state).toBe('failed');
  });

  test('duplicate: the same request arrives twice in a row', async () => {
    const { sandbox, receiver } = await delivering([waiting]);
    sandbox.webhooks.faults.add({ fault: 'duplicate' });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    const [first, second] = receiver.received;
    expect([second?.body, second?.headers['x-service-signature']]).toEqual([
      first?.body,
      first?.headers['x-service-signature'],
    ]);
    const attempt = { event: waiting, attempt: 1, state: 'delivered', status: 200, fault: 'duplicate' };
    expect(attempts(sandbox)).toEqual([attempt, attempt]);
    await sandbox.clock.advance('10m');
    expect(receiver.received).toHaveLength(2);
  });

  test('duplicate: the response to the first of the two requests decides the attempt’s result', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 200));
    sandbox.webhooks.register({ url: receiver.url, events: [waiting] });
    sandbox.webhooks.faults.add({ fault: 'duplicate' });
    await pay(sandbox, pix());
    await sandbox.clock.advance('30s');
    expect(attempts(sandbox).map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'failed'],
      [1, 'delivered'],
      [2, 'delivered'],
    ]);
  });

  test('reorder: the first of three deliveries arrives second', async () => {
    const { sandbox, receiver } = await delivering([waiting, paid, 'transaction.refunded']);
    sandbox.webhooks.faults.add({ fault: 'reorder' });
    const id = String((await pay(sandbox, pix())).body.id);
    sandbox.control.payments.pay(id);
    sandbox.control.payments.refund(id);
    await sandbox.webhooks.idle();
    expect(receiver.events()).toEqual([paid, waiting, 'transaction.refunded']);
    expect(attempts(sandbox).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(attempts(sandbox)[0]).toMatchObject({ event: waiting, fault: 'reorder' });
  });

  test('reorder: several delayed deliveries keep their order', async () => {
    const { sandbox, receiver } = await delivering([waiting, paid, 'transaction.refunded']);
    sandbox.webhooks.faults.add({ fault: 'reorder', times: 2 });
    const id = String((await pay(sandbox, pix())).body.id);
    sandbox.control.payments.pay(id);
    sandbox.control.payments.refund(id);
    await sandbox.webhooks.idle();
    expect(receiver.events()).toEqual(['transaction.refunded', waiting, paid]);
  });

  test('reorder: if no delivery follows, the attempt fails, and its request arrives after the retry', async () => {
    const { sandbox, receiver } = await delivering([waiting]);
    sandbox.webhooks.faults.add({ fault: 'reorder' });
    await pay(sandbox, pix());
    await sandbox.clock.advance('59s');
    expect(receiver.received).toEqual([]);
    await sandbox.clock.advance('1s');
    expect(receiver.received).toHaveLength(2);
    const times = receiver.received.map(({ headers }) => Number(headers['x-service-timestamp']));
    expect((times[0] ?? 0) - (times[1] ?? 0)).toBe(60);
    expect(attempts(sandbox)).toEqual([
      { event: waiting, attempt: 1, state: 'failed', error: noResponse, fault: 'reorder' },
      { event: waiting, attempt: 2, state: 'delivered', status: 200 },
    ]);
  });

  test('corrupt: one character differs from the signed body, and the retry is correct', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((_, request) =>
      findRejection(sandbox, request) === undefined ? 200 : 401,
    );
    sandbox.webhooks.register({ url: receiver.url, events: [waiting], secret });
    sandbox.webhooks.faults.add({ fault: 'corrupt' });
    await pay(sandbox, pix());
    await sandbox.clock.advance('30s');
    const [broken = '', right = ''] = receiver.received.map(({ body }) => body);
    expect(broken).toHaveLength(right.length);
    expect([...broken].filter((character, index) => character !== right[index])).toHaveLength(1);
    expect(sandbox.webhooks.deliveries[0]?.body).toBe(broken);
    expect(attempts(sandbox).map(({ status, fault }) => [status, fault])).toEqual([
      [401, 'corrupt'],
      [200, undefined],
    ]);
  });

  test('old-secret: the delivery is signed with the previous secret', async () => {
    const { sandbox, receiver, endpoint } = await delivering([waiting]);
    const rotated = { webhook_url: receiver.url, events: [waiting], hmac_secret: 'the-secret-after-that' };
    await call(sandbox, `/v1/webhooks/${endpoint.id}`, { method: 'PUT', body: rotated });
    sandbox.webhooks.faults.add({ fault: 'old-secret' });
    await pay(sandbox, pix());
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    const reasons = (secrets: string) => receiver.received.map((one) => findRejection(sandbox, one, secrets));
    expect(reasons(secret)).toEqual([undefined, 'signature-mismatch']);
    expect(reasons('the-secret-after-that')).toEqual(['signature-mismatch', undefined]);
  });

  test.each([secret, undefined])(
    'old-secret: without a previous secret, the delivery is signed with a wrong one',
    async (own) => {
      const sandbox = sandboxForTest();
      const receiver = await startReceiver();
      sandbox.webhooks.register({ url: receiver.url, events: [waiting], secret: own });
      sandbox.webhooks.faults.add({ fault: 'old-secret' });
      await pay(sandbox, pix());
      await sandbox.webhooks.idle();
      expect(receiver.received.map((one) => findRejection(sandbox, one))).toEqual(['signature-mismatch']);
    },
  );
});

describe('a delivery fault rule', () => {
  test('affects only deliveries of its event to its endpoint, and counts retries towards `nth` and `times`', async () => {
    const { sandbox, receiver, endpoint } = await delivering();
    const other = await startReceiver();
    sandbox.webhooks.register({ url: other.url });
    const rule = { event: waiting, endpoint: endpoint.id, nth: 2, times: 2, fault: 'drop' } as const;
    expect(sandbox.webhooks.faults.add(rule)).toEqual(sandbox.webhooks.faults.pending[0]);
    for (let index = 0; index < 2; index++) await pay(sandbox, pix());
    await sandbox.clock.advance('90s');
    expect(receiver.received).toHaveLength(2);
    expect(other.received).toHaveLength(4);
    const [first, second] = sandbox.webhooks.deliveries.filter(
      ({ endpointId, attempt }) => endpointId === endpoint.id && attempt === 1,
    );
    const hit = { id: 1, fault: 'drop', event: waiting, endpointId: endpoint.id, deliveryId: second?.id };
    expect(first?.fault).toBeUndefined();
    expect(sandbox.webhooks.faults.fired).toEqual([
      { ...hit, attempt: 1 },
      { ...hit, attempt: 2 },
    ]);
    expect(sandbox.webhooks.faults.pending).toEqual([]);
  });

  test('that has a rate hits the same delivery attempts in every run with the same seed', async () => {
    const lost = async (seed: number) => {
      const { sandbox } = await delivering([waiting], { seed });
      sandbox.webhooks.faults.add({ rate: 0.3, fault: 'drop' });
      for (let index = 0; index < 40; index++) await pay(sandbox, pix());
      await sandbox.webhooks.idle();
      return sandbox.webhooks.deliveries.map(({ fault }) => fault === 'drop');
    };
    const first = await lost(1);
    const hits = first.filter(Boolean).length;
    expect(hits).toBeGreaterThan(4);
    expect(hits).toBeLessThan(24);
    expect(await lost(1)).toEqual(first);
    expect(await lost(2)).not.toEqual(first);
  });

  test('hits nothing after it was removed or cleared', async () => {
    const { sandbox, receiver } = await delivering([waiting]);
    const { faults } = sandbox.webhooks;
    faults.add({ fault: 'drop' });
    const { id } = faults.add({ id: 'mine', fault: 'corrupt' });
    expect(faults.remove(id)).toBe(true);
    expect(() => faults.remove('other')).toThrow("No fault was ever added with the id 'other'");
    faults.clear();
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(1);
    expect(faults.fired).toEqual([]);
  });

  test('sends nothing after the sandbox is closed, even if its fault is delay or reorder', async () => {
    const { sandbox, receiver } = await delivering();
    sandbox.webhooks.faults.add({ fault: 'reorder' });
    sandbox.webhooks.faults.add({ fault: 'delay', delay: '1s' });
    await pay(sandbox, pix());
    await pay(sandbox, pix());
    expect(sandbox.webhooks.faults.fired).toHaveLength(2);
    await sandbox.close();
    await sandbox.clock.advance('1h');
    expect(receiver.received).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ['must be an object with fault', null],
  ['fault is required', {}],
  ["fault must be 'drop', 'delay', 'duplicate', 'reorder', 'corrupt' or 'old-secret'", { fault: 'lose' }],
  ["event must be 'transaction.waiting_payment', ", { fault: 'drop', event: 'transaction.payed' }],
  ['endpoint must be a string', { fault: 'drop', endpoint: 1 }],
  ['nth must be a number of attempts: an integer of at least 1', { fault: 'drop', nth: 0 }],
  ['delay must be a duration: ', { fault: 'delay', delay: 0 }],
  ["the fault 'delay' needs delay", { fault: 'delay' }],
  ["delay is only allowed with the fault 'delay', not with 'drop'", { fault: 'drop', delay: '1s' }],
  ['operation is an unknown field. Known: ', { fault: 'drop', operation: '*' }],
])('webhooks.faults.add rejects a rule: %s', (message, rule) => {
  const { faults } = sandboxForTest().webhooks;
  expect(() => faults.add(rule as DeliveryFaultRule)).toThrow(TypeError);
  expect(() => faults.add(rule as DeliveryFaultRule)).toThrow(`webhooks.faults.add: ${message}`);
  expect(faults.pending).toEqual([]);
});
