import {
  createReceiver,
  memoryDedupe,
  type ReceivedDelivery,
  type ReceiverOptions,
  sign,
} from 'payment-platform/webhooks';
import { expect, test, vi } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const id = '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b';
const paid = { event: 'transaction.paid', id, status: 'paid', amount: 1990 };

const delivered = (payload: object | string = paid, key = secret) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { body, headers: sign({ body, secret: key }) };
};

const receiverWith = (options: Partial<ReceiverOptions> = {}) => {
  const onError = vi.fn();
  const receiver = createReceiver({ secret, onError, ...options });
  return { receiver, onError };
};

test('handles an event with the handler of its name', async () => {
  const handler = vi.fn();
  const { receiver } = receiverWith({ on: { 'transaction.paid': handler } });
  expect(await receiver.receive(delivered())).toEqual({ status: 200, outcome: 'handled', event: paid });
  const [event, delivery] = handler.mock.calls[0] as [typeof paid, ReceivedDelivery];
  expect(event).toEqual(paid);
  expect(delivery).toMatchObject({ body: JSON.stringify(paid), secretIndex: 0, transaction: undefined });
  expect(delivery.id).toBe(JSON.stringify(['transaction.paid', id, 'paid']));
});
