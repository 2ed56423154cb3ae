import {
  createReceiver,
  type DedupeStore,
  memoryDedupe,
  type ReceiverOptions,
  sign,
} from 'payment-platform/webhooks';
import { vi } from 'vitest';

export const secret = 'whsec_0123456789abcdef';
export const id = '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b';
export const paid = { event: 'transaction.paid', id, status: 'paid', amount: 1990 };

/** A signed delivery of a payload, or of a string as it is. */
export const delivered = (payload: object | string = paid, key = secret) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { body, headers: sign({ body, secret: key }) };
};

/** A receiver whose failures are seen by the test, not printed. */
export const receiverWith = (options: Partial<ReceiverOptions> = {}) => {
  const onError = vi.fn();
  return { receiver: createReceiver({ secret, onError, ...options }), onError };
};

/** A promise and what settles it. */
export const deferred = <Value = void>() => {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

/** A store in memory with other implementations of some steps. */
export const storeWith = (steps: Partial<DedupeStore>): DedupeStore => {
  const memory = memoryDedupe();
  return {
    claim: (...args) => memory.claim(...args),
    complete: (...args) => memory.complete(...args),
    release: (...args) => memory.release(...args),
    ...steps,
  };
};
