import { createReceiver, memoryDedupe, sign, verify } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const body = '{"event":"transaction.paid"}';
const delivery = { body, headers: sign({ body, secret }) };

/** Returns the error message of a call that must throw. */
function getErrorMessage(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It must throw, and has not.');
}

describe('an error about webhook options', () => {
  test('names an unknown option, and suggests the most similar option or lists all options', () => {
    expect(getErrorMessage(() => verify(delivery, { secret, tolerence: 60 } as never))).toBe(
      'verify: tolerence is an unknown option. Did you mean tolerance?',
    );
    expect(getErrorMessage(() => verify(delivery, { secret, window: 60 } as never))).toBe(
      'verify: window is an unknown option. Known: secret, now, tolerance, timestamp, decodeSignature, headerNames, fieldNames.',
    );
  });

  test('says that a delivery which is a Promise must be awaited', async () => {
    expect(getErrorMessage(() => verify(Promise.resolve(delivery) as never, secret))).toBe(
      'The delivery is a Promise. Await it first.',
    );
  });

  test('states the valid range for an invalid number', () => {
    expect(getErrorMessage(() => createReceiver({ secret, lease: 0 }))).toBe(
      'createReceiver: lease must be milliseconds: an integer from 1 to 2147483647.',
    );
    expect(getErrorMessage(() => createReceiver({ secret, keepFor: 0.5 }))).toBe(
      'createReceiver: keepFor must be milliseconds: an integer of at least 1.',
    );
    expect(() => createReceiver({ secret, lease: 2 ** 31 - 1 })).not.toThrow();
    expect(getErrorMessage(() => createReceiver({ secret, lease: 2 ** 31 }))).toContain(
      'from 1 to 2147483647',
    );
  });

  test('says that a value must be an object', () => {
    expect(getErrorMessage(() => memoryDedupe(7 as never))).toBe('memoryDedupe: must be an object.');
    expect(getErrorMessage(() => memoryDedupe(null as never))).toBe('memoryDedupe: must be an object.');
  });
});
