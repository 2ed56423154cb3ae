import { type OnboardingStatus, type PaymentPlatformError, responseOf } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { formServer, json, registration } from '../support/form-server.js';
import { bankAccount, jpeg, pf } from '../support/onboarding.js';
import { id } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

onBothEngines((engine) => {
  const ready = async (...responses: [status: number, body: object, headers?: Record<string, string>][]) => {
    const server = opens(
      await formServer((response, index) => {
        const [status, body, headers = {}] = responses[Math.min(index, responses.length - 1)] ?? [500, {}];
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        json(response, status, body);
      }),
    );
    return { server, platform: opens(clientOn(engine, server.url)) };
  };

  test('the result of an onboarding contains the idempotency key, which is later the sub-account’s externalId', async () => {
    const { server, platform } = await ready([202, registration]);
    const key = '9b2c1c9e-5a9c-4b3b-8f43-0d2f3d6e6f7a';
    const keyed = await platform.onboarding.submitPf(pf, { idempotencyKey: key });
    expect(responseOf(keyed).idempotencyKey).toBe(key);
    const made = await platform.onboarding.submitPf(pf);
    expect(responseOf(made).idempotencyKey).toBe(server.received[1]?.headers['x-idempotency-key']);
  });

  test('a 409 for an onboarding whose idempotency key was used with a different form is not retried (row 21)', async () => {
    const { server, platform } = await ready([409, { message: 'key reused' }]);
    for (const call of [
      () => platform.onboarding.submitPf(pf),
      () => platform.onboarding.submitPj({ cnpj: '11222333000181' }),
      () => platform.submerchants.create({ phone: '1' }),
    ]) {
      const before = server.received.length;
      const error = await catchError<PaymentPlatformError>(call());
      expect(error).toMatchObject({ name: 'IdempotencyConflictError', outcome: 'not-executed', attempts: 1 });
      expect(error.idempotencyKey).toBe(server.received[before]?.headers['x-idempotency-key']);
      expect(server.received).toHaveLength(before + 1);
    }
  });

  test('a 403 for an onboarding causes a PermissionError', async () => {
    const { platform } = await ready([403, {}]);
    expect(await catchError(platform.onboarding.submitPf(pf))).toMatchObject({ name: 'PermissionError' });
  });

  test.each(['bankName', 'bankCode', 'bankAgency', 'ispb'])(
    'onboarding.submitPf sends the undocumented field %s next to a bank account',
    async (field) => {
      const { server, platform } = await ready([202, registration]);
      await platform.onboarding.submitPf({ ...pf, bankAccount, [field]: '001' });
      expect(server.received[0]?.body.toString()).toContain(`name="${field}"\r\n\r\n001\r\n`);
    },
  );

  describe('onboarding.resendDocuments', () => {
    test('requests the status first, and then sends the documents', async () => {
      const { server, platform } = await ready([200, { can_resubmit: true }], [202, registration]);
      await expect(platform.onboarding.resendDocuments(id, { selfie: jpeg })).resolves.toEqual(registration);
      expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
        `GET /v2/submerchants/onboarding/${id}/status`,
        `POST /v2/submerchants/onboarding/${id}/resend-documents`,
      ]);
    });

    test.each([
      [
        { can_resubmit: false, status: 'approved' },
        /does not accept documents now \(its status is approved\)\./,
      ],
      [{ can_resubmit: 'yes' }, /does not accept documents now\./],
      [{}, /can_resubmit: true/],
    ])('rejects with the reason if the platform does not accept documents: %j', async (status, message) => {
      const { server, platform } = await ready([200, status]);
      const error = await catchError<PaymentPlatformError>(
        platform.onboarding.resendDocuments(id, { selfie: jpeg }),
      );
      expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed' });
      expect(error.message).toMatch(message);
      expect(server.received).toHaveLength(1);
    });

    test('sends the documents without a status request if checkStatus is false', async () => {
      const { server, platform } = await ready([202, registration]);
      await platform.onboarding.resendDocuments(id, { selfie: jpeg }, { checkStatus: false });
      expect(server.received).toHaveLength(1);
    });

    test('sends no document if the status request fails', async () => {
      const { server, platform } = await ready([404, {}]);
      const error = await catchError(platform.onboarding.resendDocuments(id, { selfie: jpeg }));
      expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'not-executed' });
      expect(server.received).toHaveLength(1);
    });

    test('is not retried after a 503, because it has no idempotency key', async () => {
      const { server, platform } = await ready([200, { can_resubmit: true }], [503, {}]);
      const error = await catchError(platform.onboarding.resendDocuments(id, { selfie: jpeg }));
      expect(error).toMatchObject({ name: 'ServerError', outcome: 'unknown', attempts: 1 });
      expect(server.received).toHaveLength(2);
    });
  });

  describe('onboarding.waitFor', () => {
    const submitted = { can_resubmit: false, status: 'submitted' };
    const rejected = { can_resubmit: true, status: 'rejected' };

    test('polls until the status is one of those in `until`, and reports each change', async () => {
      const seen: OnboardingStatus[] = [];
      const { server, platform } = await ready(
        [200, submitted],
        [200, submitted],
        [503, {}],
        [200, rejected],
      );
      const status = await platform.onboarding.waitFor(id, {
        until: ({ status }) => status !== 'submitted',
        interval: 1,
        onStatus: (status) => {
          seen.push(status);
          throw new Error('a broken logger');
        },
      });
      expect(status).toEqual(rejected);
      expect(seen).toEqual([submitted, rejected]);
      expect(server.received).toHaveLength(4);
    });

    test.each(['rejected', ['approved', 'rejected']])('ends at the status %j', async (until) => {
      const { server, platform } = await ready([200, submitted], [200, rejected]);
      await expect(platform.onboarding.waitFor(id, { until, interval: 1 })).resolves.toEqual(rejected);
      expect(server.received).toHaveLength(2);
    });

    test('accepts an asynchronous function as `until`', async () => {
      const { server, platform } = await ready([200, submitted], [200, rejected]);
      const until = async ({ status }: OnboardingStatus) => status === 'rejected';
      await expect(platform.onboarding.waitFor(id, { until, interval: 1 })).resolves.toEqual(rejected);
      expect(server.received).toHaveLength(2);
    });

    test('rejects with the last status after its timeout', async () => {
      const { platform } = await ready([200, submitted]);
      const error = await catchError<PaymentPlatformError>(
        platform.onboarding.waitFor(id, { until: 'approved', interval: 400, timeout: 1_000 }),
      );
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-executed' });
      expect(error.message).toMatch(/did not arrive in time; it is submitted/);
    });

    test('rejects with the last status if its timeout ends a request', async () => {
      const server = opens(
        await formServer((response, index) => (index === 0 ? json(response, 200, submitted) : undefined)),
      );
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<PaymentPlatformError>(
        platform.onboarding.waitFor(id, { until: 'approved', interval: 1, timeout: 200 }),
      );
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-executed' });
      expect(error.message).toMatch(/did not arrive in time; it is submitted/);
    });

    test('rejects at once if a Retry-After is longer than its remaining time (row 24)', async () => {
      const { server, platform } = await ready([429, {}, { 'retry-after': '60' }]);
      const error = await catchError(
        platform.onboarding.waitFor(id, { until: 'x', interval: 1, timeout: 5_000 }),
      );
      expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 60 });
      expect(server.received).toHaveLength(1);
    });

    test('rejects after a 404 without further requests', async () => {
      const { server, platform } = await ready([404, {}]);
      const error = await catchError(platform.onboarding.waitFor(id, { until: 'x', interval: 1 }));
      expect(error).toMatchObject({ name: 'NotFoundError' });
      expect(server.received).toHaveLength(1);
    });

    test('rejects if its signal is aborted, and sends no further request (row 32)', async () => {
      const { server, platform } = await ready([200, submitted]);
      const controller = new AbortController();
      const error = await catchError(
        platform.onboarding.waitFor(id, {
          until: 'x',
          interval: 60_000,
          signal: controller.signal,
          onStatus: () => controller.abort(new Error('enough')),
        }),
      );
      expect(error).toMatchObject({ name: 'AbortedError' });
      expect(server.received).toHaveLength(1);
    });

    test('rejects with the error that `until` throws', async () => {
      const { platform } = await ready([200, submitted]);
      const until = () => {
        throw new RangeError('mine');
      };
      expect(await catchError(platform.onboarding.waitFor(id, { until }))).toBeInstanceOf(RangeError);
    });
  });
});
