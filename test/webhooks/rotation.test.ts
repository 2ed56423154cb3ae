import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { createReceiver, toNodeHandler } from 'payment-platform/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';

const old = 'whsec_the_secret_until_now';
const next = 'whsec_the_secret_from_now_on';

test('a secret is rotated under load without a lost or a rejected delivery (row 42)', async () => {
  let known: readonly string[] = [old];
  const handled = new Map<string, number>();
  const positions: number[] = [];
  const onRejected = vi.fn();
  const receiver = createReceiver({
    // Like a secret manager, the function is called again if a delivery matches no known secret.
    secret: async () => known,
    onRejected,
    on: {
      'transaction.paid': (event, delivery) => {
        handled.set(event.id ?? '', (handled.get(event.id ?? '') ?? 0) + 1);
        positions.push(delivery.secretIndex);
      },
    },
  });
  const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sandbox = createSandbox();
  onTestFinished(async () => {
    server.close();
    await sandbox.close();
  });
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const { id } = await platform.webhooks.create({ webhook_url, events: [], hmac_secret: old });

  const paid: string[] = [];
  /** Makes and pays payments while other work runs. */
  const load = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const payment = await platform.payments.create({
        amount: 1990,
        paymentMethod: 'pix',
        customer: { name: 'Ana Souza' },
        items: [{ title: 'Café', quantity: 1, unitPrice: 1990 }],
      });
      sandbox.control.payments.pay(payment.id);
      paid.push(payment.id);
    }
  };

  await load(50);
  // 1. The receiver learns the next secret. 2. The endpoint signs with it. 3. The old secret is removed.
  known = [next, old];
  await Promise.all([load(100), platform.webhooks.update(id, { hmac_secret: next })]);
  await load(50);
  await sandbox.webhooks.idle();

  expect(onRejected).not.toHaveBeenCalled();
  expect(sandbox.webhooks.deliveries.map(({ status }) => status)).not.toContain(400);
  expect([...handled.keys()].sort()).toEqual(paid.sort());
  expect(new Set(handled.values())).toEqual(new Set([1]));
  // The first deliveries use the old secret, the last deliveries the secret that is now first in the list.
  expect([positions[0], positions.at(-1)]).toEqual([0, 0]);
});
