import { describe, expect, test } from 'vitest';
import { isBlocked, payloadStatuses } from '../../src/durable/transitions.js';
import { durable, order, rejection } from '../support/durable.js';

const key = 'order-1';

describe('a durable payment that the platform rejects until somebody repairs the configuration', () => {
  test.each([401, 403, 404, 405])(
    'with %i is blocked, reported once, counted and sent again',
    async (status) => {
      const { sandbox, payments, clock, reported } = durable();
      sandbox.faults.add({ operation: 'payments.create', fault: { status }, times: 3 });
      expect((await rejection(payments.create(order, { key }))).message).toContain(
        'Repair the configuration',
      );
      for (let turn = 0; turn < 2; turn++) {
        clock.now += 600_000;
        await payments.settleDue();
      }
      expect(await payments.find(key)).toMatchObject({ state: 'blocked', error: { status }, inDoubt: false });
      expect(await payments.counts()).toMatchObject([{ state: 'blocked', count: 1 }]);
      expect(reported.errors).toMatchObject([
        [
          { message: expect.stringContaining(`rejected the payment order-1 with ${status}`) },
          { during: 'send', key },
        ],
      ]);
      clock.now += 600_000;
      await payments.settleDue();
      expect(await payments.find(key)).toMatchObject({ state: 'settled', inDoubt: false });
      expect(sandbox.ledger.charges).toHaveLength(1);
    },
  );

  test('calls onBlocked instead of onError, again if the status changes, and can be cancelled', async () => {
    const blocked: unknown[] = [];
    const onBlocked = ({ error }: { error?: { status?: number | undefined } | undefined }) =>
      blocked.push(error?.status);
    const { sandbox, payments, clock, reported } = durable({ onBlocked });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 401 } });
    sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 403 } });
    await rejection(payments.create(order, { key }));
    clock.now += 600_000;
    await payments.settleDue();
    expect(blocked).toEqual([401, 403]);
    expect(reported.errors).toEqual([]);
    expect(await payments.cancel(key)).toBe(true);
    clock.now += 600_000;
    expect(await payments.settleDue()).toBe(0);
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test.each([400, 403, 404])(
    'after a token endpoint’s %i is blocked, reported once and sent again',
    async (status) => {
      const { sandbox, payments, clock, reported } = durable({ client: { auth: 'oauth' } });
      sandbox.faults.add({ operation: 'oauth.token', fault: { status }, times: 2 });
      await rejection(payments.create(order, { key }));
      clock.now += 600_000;
      await payments.settleDue();
      expect(await payments.find(key)).toMatchObject({
        state: 'blocked',
        error: { code: 'token_request_failed', message: expect.stringContaining(`(${status})`) },
        inDoubt: false,
      });
      expect(reported.errors).toMatchObject([
        [{ message: expect.stringContaining('rejected the payment order-1 with token_request_failed') }, {}],
      ]);
      clock.now += 600_000;
      await payments.settleDue();
      expect(await payments.find(key)).toMatchObject({ state: 'settled' });
      expect(sandbox.ledger.charges).toHaveLength(1);
    },
  );

  test('exists for each 4xx status except those about the payload and those that pass on their own', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
    const others = statuses.filter(
      (status) => status >= 400 && status < 500 && !isBlocked({ code: 'api_error', status }),
    );
    expect(others).toEqual([400, 408, 409, 413, 415, 422, 425, 429]);
    expect([...payloadStatuses]).toEqual([400, 413, 415, 422]);
    expect(
      statuses.filter((status) => isBlocked({ code: 'api_error', status })).every((status) => status >= 401),
    ).toBe(true);
  });
});
