import { expect, test } from 'vitest';
import { openCard, pay, pix, sandboxForTest, subAccount } from '../support.js';

/** Lists the controls that need the network or a key. */
const promised = ['domains.verify', 'certificates.create', 'certificates.issue'];

test('only control methods that use the network or a cryptographic key return a promise', async () => {
  const sandbox = sandboxForTest();
  const { control } = sandbox;
  const [paid, open] = [await pay(sandbox, openCard()), await pay(sandbox, pix())].map(({ body }) =>
    String(body.id),
  );
  const internalId = await subAccount(sandbox, '12345678909');
  const values: Readonly<Record<string, readonly unknown[]>> = {
    'payments.refund': [paid],
    'payments.cancel': [open],
    'submerchants.setStatus': [internalId, 'inactive'],
    'features.enable': ['split'],
    'certificates.issue': ['not a request'],
    'domains.verify': ['shop.example'],
  };
  const returned = new Map<string, boolean>();
  for (const [group, controls] of Object.entries(control))
    for (const [name, call] of Object.entries(controls as Record<string, (...value: unknown[]) => unknown>)) {
      const path = `${group}.${name}`;
      if (typeof call !== 'function') continue;
      try {
        const value = call.apply(controls, [...(values[path] ?? [])]);
        returned.set(path, value instanceof Promise);
        await Promise.resolve(value).catch(() => undefined);
      } catch {
        // A function that throws synchronously returns no promise either.
        returned.set(path, false);
      }
    }
  expect(returned.size).toBeGreaterThan(30);
  expect(
    [...returned]
      .filter(([, isPromise]) => isPromise)
      .map(([path]) => path)
      .toSorted(),
  ).toEqual(promised.toSorted());
});
