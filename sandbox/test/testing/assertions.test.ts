import { createReceiver } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../index.js';
import {
  everyDeliveryDelivered,
  everyFaultFired,
  noDuplicateCharges,
  paymentPlatformMatchers,
} from '../../testing/index.js';
import { call, keyNo, openCard, pay, pix, sandboxForTest, startOfYear, startReceiver } from '../support.js';

expect.extend(paymentPlatformMatchers);

/** Expects an assertion and its matcher to hold. */
function bothHold(
  sandbox: Sandbox,
  assertion: (sandbox: Sandbox) => void,
  matcher: keyof typeof matchers,
): void {
  assertion(sandbox);
  matchers[matcher](sandbox);
  expect(() => negated[matcher](sandbox)).toThrow(/^Expected it not to be so: /);
}

function bothFail(
  sandbox: Sandbox,
  assertion: (sandbox: Sandbox) => void,
  matcher: keyof typeof matchers,
  message: RegExp,
): void {
  expect(() => assertion(sandbox)).toThrow(message);
  expect(() => matchers[matcher](sandbox)).toThrow(message);
  negated[matcher](sandbox);
}

const matchers = {
  charges: (sandbox: Sandbox) => expect(sandbox).toHaveNoDuplicateCharges(),
  faults: (sandbox: Sandbox) => expect(sandbox).toHaveFiredEveryFault(),
  deliveries: (sandbox: Sandbox) => expect(sandbox).toHaveDeliveredEverything(),
};
const negated = {
  charges: (sandbox: Sandbox) => expect(sandbox).not.toHaveNoDuplicateCharges(),
  faults: (sandbox: Sandbox) => expect(sandbox).not.toHaveFiredEveryFault(),
  deliveries: (sandbox: Sandbox) => expect(sandbox).not.toHaveDeliveredEverything(),
};

describe('noDuplicateCharges', () => {
  test('fails for an order that was paid twice without an idempotency key', async () => {
    const sandbox = sandboxForTest();
    const first = await pay(sandbox, openCard(undefined, { externalId: 'order-1' }));
    bothHold(sandbox, noDuplicateCharges, 'charges');
    const second = await pay(sandbox, pix({ externalId: 'order-1' }));
    bothFail(
      sandbox,
      noDuplicateCharges,
      'charges',
      new RegExp(
        `^Expected.*:?\\n?.*\\n- the order 'order-1' has 2 charges: ${first.body.id} \\(paid, 1990 cents\\), ${second.body.id} \\(waiting_payment, 1990 cents\\)`,
        's',
      ),
    );
  });

  test('passes if the first payment of an order failed or was refunded', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, openCard('4000000000000002', { externalId: 'order-1' }));
    const { body } = await pay(sandbox, openCard(undefined, { externalId: 'order-1' }));
    sandbox.control.payments.refund(String(body.id));
    await pay(sandbox, openCard(undefined, { externalId: 'order-1' }));
    bothHold(sandbox, noDuplicateCharges, 'charges');
  });

  test('passes for payments without an order, and for a retry with the same idempotency key', async () => {
    const sandbox = sandboxForTest();
    for (const key of [undefined, undefined, keyNo(1), keyNo(1)]) await pay(sandbox, pix(), key);
    expect(sandbox.ledger.charges).toHaveLength(3);
    bothHold(sandbox, noDuplicateCharges, 'charges');
  });

  test('fails for an idempotency key with two charges, whatever their statuses', () => {
    const charge = { idempotencyKey: 'k', amount: 100, status: 'refused', paymentId: 'a' };
    const ledger = { charges: [charge, { ...charge, paymentId: 'b' }] };
    const message =
      /- the idempotency key 'k' has 2 charges: a \(refused, 100 cents\), b \(refused, 100 cents\)/;
    expect(() => noDuplicateCharges({ ledger } as never)).toThrow(message);
  });
});

describe('everyFaultFired', () => {
  test('fails if a fault has hit less often than expected, and states the hits of each fault', async () => {
    const sandbox = sandboxForTest();
    bothHold(sandbox, everyFaultFired, 'faults');
    sandbox.faults.add({ id: 'lost', operation: 'payments.create', fault: 'reset' });
    sandbox.faults.add({ fault: { status: 503 }, operation: 'webhooks.list', times: 2 });
    sandbox.faults.add({ fault: 'empty', rate: 0.001 });
    sandbox.webhooks.faults.add({ fault: 'drop', event: 'transaction.paid' });
    await call(sandbox, '/v1/webhooks');
    bothFail(
      sandbox,
      everyFaultFired,
      'faults',
      new RegExp(
        [
          "- fault 'lost' ('reset' at payments.create) has hit 0 of 1, and seen 0 that matched",
          '- fault 1 ({ status: 503 } at webhooks.list) has hit 1 of 2, and seen 1 that matched',
          "- fault 2 ('empty' at *) has hit 0 of at least 1, and seen 1 that matched",
          "- fault 1 ('drop' at deliveries of transaction.paid) has hit 0 of 1, and seen 0 that matched",
        ]
          .map((line) => line.replaceAll(/[()*{}.]/g, '\\$&'))
          .join('\n'),
      ),
    );
    sandbox.faults.clear();
    sandbox.webhooks.faults.clear();
    bothHold(sandbox, everyFaultFired, 'faults');
  });

  test('passes after one hit of a fault with a rate and without times', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: { status: 503 }, rate: 1 });
    await call(sandbox, '/v1/webhooks');
    bothHold(sandbox, everyFaultFired, 'faults');
  });
});

describe('everyDeliveryDelivered', () => {
  test('states the times of the sandbox and of this machine if a receiver rejects the timestamp', async () => {
    const sandbox = sandboxForTest();
    const secret = 'whsec_0123456789abcdef';
    const reasons: unknown[] = [];
    // The sandbox has another clock, which the receiver does not know.
    const receiver = createReceiver({ secret, onRejected: ({ reason }) => reasons.push(reason) });
    sandbox.webhooks.connect(receiver.fetch, { secret });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    bothFail(
      sandbox,
      everyDeliveryDelivered,
      'deliveries',
      /status 400\. The sandbox's clock was at .*createReceiver\(\{ now: /,
    );
    expect(String(reasons[0])).toMatch(/^timestamp-/);
  });

  test('fails and names the last attempt of a failed delivery, and passes after a successful retry', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 200));
    sandbox.webhooks.register({ url: receiver.url, events: ['transaction.waiting_payment'] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    bothFail(
      sandbox,
      everyDeliveryDelivered,
      'deliveries',
      /- transaction\.waiting_payment to http:\/\/127\.0\.0\.1:\d+\/hook: attempt 1 failed: status 500/,
    );
    await sandbox.clock.advance('30s');
    bothHold(sandbox, everyDeliveryDelivered, 'deliveries');
    sandbox.webhooks.faults.add({ fault: 'delay', delay: '5s' });
    await pay(sandbox, pix());
    expect(() => everyDeliveryDelivered(sandbox)).toThrow(/attempt 1 has no response yet\./);
  });
});

test('everyDeliveryDelivered states both clocks only if the delivery is signed and the sandbox’s time is set', async () => {
  const receiver = await startReceiver(() => 400);
  const getErrorMessage = async (options: SandboxOptions, secret?: string) => {
    const sandbox = sandboxForTest(options);
    sandbox.webhooks.register({ url: receiver.url, secret, events: ['transaction.waiting_payment'] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    try {
      everyDeliveryDelivered(sandbox);
      return 'delivered';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const secret = 'a-secret-of-the-test';
  expect(await getErrorMessage({ now: startOfYear }, secret)).toMatch(
    /attempt 1 failed: status 400\. The sandbox's clock was at 2026-01-01T00:00:00\.000Z, and this machine's is at .+ Give it the sandbox's: createReceiver\(\{ now: \(\) => sandbox\.clock\.now\(\) \}\)$/,
  );
  const again =
    "failed: status 400. onRejected of createReceiver says why, for example a wrong secret. It is sent again when the sandbox's clock moves: await sandbox.clock.advance('1h')";
  expect(await getErrorMessage({ now: startOfYear })).toContain(again);
  expect(await getErrorMessage({ now: undefined }, secret)).toContain(again);
});

describe('toHaveBeenChargedOnce', () => {
  test('accepts a payment, its id, its idempotency key and its order', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ externalId: 'order-1' }), keyNo(1));
    expect(body).toHaveBeenChargedOnce(sandbox);
    for (const text of [String(body.id), keyNo(1), 'order-1']) expect(text).toHaveBeenChargedOnce(sandbox);
    expect('order-2').not.toHaveBeenChargedOnce(sandbox);
    const again = await pay(sandbox, pix({ externalId: 'order-1' }), keyNo(9));
    for (const payment of [body, again.body, keyNo(9)]) expect(payment).not.toHaveBeenChargedOnce(sandbox);
    sandbox.control.payments.cancel(String(again.body.id));
    for (const payment of [body, again.body, 'order-1']) expect(payment).toHaveBeenChargedOnce(sandbox);
    expect(() => expect('order-2').toHaveBeenChargedOnce(sandbox)).toThrow(
      "Expected: one charge for 'order-2'.\n- there are 0 charges: none",
    );
    await pay(sandbox, pix({ externalId: 'order-1' }));
    expect(() => expect('order-1').toHaveBeenChargedOnce(sandbox)).toThrow(
      /- there are 2 charges: .+ \(waiting/,
    );
  });

  test.each([undefined, {}, '', 5])('rejects the value %j', (value) => {
    expect(() => expect(value).toHaveBeenChargedOnce(sandboxForTest())).toThrow(
      'toHaveBeenChargedOnce takes a payment, its id',
    );
  });
});

test.each([undefined, {}, 'sandbox'])(
  'every assertion and matcher rejects %j, which is not a sandbox',
  (value) => {
    const wrong = value as unknown as Sandbox;
    for (const assertion of [noDuplicateCharges, everyFaultFired, everyDeliveryDelivered]) {
      expect(() => assertion(wrong)).toThrow(TypeError);
    }
    for (const matcher of Object.values(matchers)) expect(() => matcher(wrong)).toThrow('needs a sandbox');
    expect(() => expect('key').toHaveBeenChargedOnce(wrong)).toThrow('needs a sandbox');
  },
);
