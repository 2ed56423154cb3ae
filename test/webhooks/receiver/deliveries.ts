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

/** Creates a signed delivery of a payload or of an exact string. */
export const delivered = (payload: object | string = paid, key = secret) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { body, headers: sign({ body, secret: key }) };
};

/** Creates a receiver that reports failures to the test instead of the console. */
export const receiverWith = (options: Partial<ReceiverOptions> = {}) => {
  const onError = vi.fn();
  return { receiver: createReceiver({ secret, onError, ...options }), onError };
};

/** Creates a promise with the functions that settle it. */
export const deferred = <Value = void>() => {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

/** Creates a store in memory with replaced steps. */
export const storeWith = (steps: Partial<DedupeStore>): DedupeStore => {
  const memory = memoryDedupe();
  return {
    claim: (...args) => memory.claim(...args),
    complete: (...args) => memory.complete(...args),
    release: (...args) => memory.release(...args),
    ...steps,
  };
};
