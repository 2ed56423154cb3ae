import { PaymentPlatform, type PaymentPlatformError, type RetryEvent, responseOf } from 'payment-platform';
import { createSandbox, type FaultRule } from 'payment-platform/sandbox';
import { samples } from 'payment-platform/testing';
import { describe, expect, test } from 'vitest';
import { catchError, onBothEngines } from '../../support/engines.js';
import { pix } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

const inProgress = (body: unknown): FaultRule => ({ fault: { status: 409, body } });
const code = 'IDEMPOTENCY_IN_PROGRESS';

onBothEngines((engine) => {
  /** Starts a sandbox whose first responses are faults, and a client. */
  const ready = async (options: object, ...faults: FaultRule[]) => {
    const sandbox = opens(createSandbox({ features: { paas: true } }));
    for (const fault of faults) sandbox.faults.add(fault);
    const own = engine === 'node' ? (await sandbox.listen()).clientOptions() : sandbox.clientOptions();
    return { sandbox, platform: opens(new PaymentPlatform({ ...own, ...options })) };
  };

  describe('a 409 whose code is in inProgressCodes', () => {
    test.each([{ code }, { error: { code } }, { erro: { codigo: code } }])(
      'is followed by a retry with the same key, after the whole backoff: %j (row 87)',
      async (body) => {
        const retries: RetryEvent[] = [];
        const hooks = { onRetry: (event: RetryEvent) => void retries.push(event) };
        const { sandbox, platform } = await ready({ inProgressCodes: [code], hooks }, inProgress(body));
        const payment = await platform.payments.create(pix, { idempotencyKey: 'order-1' });
        expect(responseOf(payment)).toMatchObject({ attempts: 2, idempotencyKey: 'order-1' });
        expect(sandbox.ledger.charges).toHaveLength(1);
        expect(retries).toMatchObject([
          { delay: 500, reason: 'the platform is still executing a request with this key (409)' },
        ]);
      },
    );

    test('ends a payment with an unknown outcome if no retry is left', async () => {
      const { platform } = await ready({ inProgressCodes: [code], maxRetries: 0 }, inProgress({ code }));
      const error = await catchError<PaymentPlatformError>(
        platform.payments.create(pix, { idempotencyKey: 'k' }),
      );
      expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', outcome: 'unknown', status: 409 });
      expect(error.message).toContain('Call payments.reconcile with the same key (k), not with a new one.');
    });

    test('ends the creation of a sub-account with the advice to keep the key, not to choose a new one', async () => {
      const { platform } = await ready({ inProgressCodes: [code], maxRetries: 0 }, inProgress({ code }));
      const error = await catchError(platform.submerchants.create(samples.submerchants.create()));
      expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
      expect(error.message).toMatch(/Retry with the same key \([\w-]+\), not with a new one\.$/);
    });

    test('makes a later 400 of the same call an unknown outcome', async () => {
      const { platform } = await ready({ inProgressCodes: [code] }, inProgress({ code }), {
        fault: { status: 400 },
      });
      const error = await catchError(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'unknown', attempts: 2 });
    });
  });

  describe('a 409 is not retried', () => {
    test.each<readonly [string, object, unknown]>([
      ['without the option', {}, { code }],
      ['with another code', { inProgressCodes: [code] }, { code: 'KEY_REUSED' }],
      ['without a code', { inProgressCodes: [code] }, 'IDEMPOTENCY_IN_PROGRESS'],
    ])('%s', async (_, options, body) => {
      const { sandbox, platform } = await ready(options, inProgress(body));
      const error = await catchError(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', attempts: 1 });
      expect(sandbox.ledger.charges).toEqual([]);
    });

    test('for a payment without a key, because sending it twice charges twice', async () => {
      const { platform } = await ready({ inProgressCodes: [code] }, inProgress({ code }));
      const error = await catchError(platform.payments.create(pix, { idempotencyKey: null }));
      expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' });
    });
  });
});

test.each([[code], [{ 0: code }], [['']], [[7]], [null]])(
  'inProgressCodes rejects %j: it must be a list of strings',
  (inProgressCodes) => {
    const options = { baseUrl: 'https://api.example', clientId: 'a', clientSecret: 'b' };
    expect(() => new PaymentPlatform({ ...options, inProgressCodes } as never)).toThrow(
      'inProgressCodes must be a list of strings',
    );
  },
);
