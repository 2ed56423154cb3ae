import {
  type ClientOptions,
  PaymentPlatform,
  type PaymentPlatformError,
  type RequestInput,
} from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { openCard, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

onBothEngines((engine) => {
  /** Starts a platform that rejects every request and echoes it. */
  async function echo(options: ClientOptions = {}) {
    const server = opens(
      await rawServer(({ socket, request }) =>
        socket.end(
          formatResponse(JSON.stringify({ message: request.body, body: request.body }), { status: 400 }),
        ),
      ),
    );
    return { server, platform: opens(clientOn(engine, server.url, options)) };
  }

  describe('a secret from a request, which the response repeats (row 63)', () => {
    const shown = (error: Error) => `${error.message} ${JSON.stringify(error)}`;
    const card = {
      numero: '4111111111111111',
      codigo: '7371',
      cvn: '942',
      validade: '12/30',
      titular: 'ANA B',
    };

    test.each(['/v1/vault/tokenize', '/v1/vault/tokenize/', '/v1/%76ault/tokenize'])(
      'is hidden if vault.tokenize or platform.request sends it to %s',
      async (path) => {
        const { platform } = await echo();
        for (const call of [
          () => platform.vault.tokenize(card),
          () => platform.request({ method: 'POST', path, body: card }),
        ]) {
          const error = await catchError(call());
          for (const value of Object.values(card)) expect(shown(error)).not.toContain(value);
        }
      },
    );

    test('is hidden if it is in a renamed wallet or 3DS field', async () => {
      const fieldNames = { 'payment.wallet': 'apple_block', 'payment.threeDSData': 'three_ds' };
      const { platform } = await echo({ fieldNames });
      const blob = 'canary-blob-1234567890';
      const { customer: _, ...bare } = pix;
      const calls = [
        () =>
          platform.request({
            method: 'POST',
            path: '/v1/payments',
            body: { ...pix, apple_block: { data: blob } },
          }),
        () => platform.payments.create(openCard, { extraBody: { three_ds: { cavv: blob } } }),
        () =>
          platform.payments.create({
            ...bare,
            paymentMethod: 'credit_card',
            wallet: { data: blob, pin: '12345' },
          }),
      ];
      for (const call of calls) expect(shown(await catchError(call()))).not.toMatch(/canary-blob|12345"/);
    });

    test('is hidden from the hook onRequest, even if it is a card number in the path', async () => {
      const paths: string[] = [];
      const hooks = { onRequest: ({ path }: { path: string }) => paths.push(path) };
      const { platform } = await echo({ hooks });
      await catchError(platform.request({ method: 'GET', path: '/v1/cards/4111111111111111' }));
      await catchError(platform.payments.boleto('4111111111111111'));
      await catchError(platform.certificates.revoke(id));
      expect(paths.join()).not.toContain('4111111111111111');
      expect(paths.at(-1)).toBe(`/v1/certificates/${id}/revoke`);
    });
  });

  describe('platform.request with a path', () => {
    async function lost(input: RequestInput) {
      const server = opens(await rawServer(({ socket }) => socket.destroy()));
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<PaymentPlatformError>(platform.request(input));
      return { error, sent: server.requests };
    }

    test('does not retry a PATCH whose path only resembles the path of an operation (row 6)', async () => {
      const { error, sent } = await lost({
        method: 'PATCH',
        path: '/v1/submerchants/fees',
        body: { fee: 1 },
      });
      expect(sent).toHaveLength(1);
      expect(error.outcome).toBe('unknown');
      expect(error.message).not.toContain('harmless');
      expect((await lost({ method: 'PATCH', path: `/v1/submerchants/${id}`, body: {} })).sent).toHaveLength(
        3,
      );
    });

    test.each(['/v1/payments', '/v1/payments/', '/v1/%70ayments'])(
      "sends an idempotency key with a POST to %s, even with replay: 'natural' (row 6)",
      async (path) => {
        const { sent } = await lost({ method: 'POST', path, body: pix, replay: 'natural' });
        const keys = sent.map(({ headers }) => headers['x-idempotency-key']);
        expect(new Set(keys).size).toBe(1);
        expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
      },
    );

    test('rejects a path of a million slashes in time proportional to its length (row 59)', async () => {
      // A pattern with quadratic time would take minutes.
      const path = `${'/'.repeat(1_000_000)}x`;
      const { error, sent } = await lost({ method: 'POST', path, body: {} });
      expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'path' }] });
      expect(sent).toEqual([]);
    });

    test("rejects replay: 'keyed' for an operation that has no idempotency keys", async () => {
      const { error, sent } = await lost({
        method: 'POST',
        path: '/v1/submerchants/withdrawals',
        body: {},
        replay: 'keyed',
      });
      expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'replay' }] });
      expect(sent).toEqual([]);
    });
  });
});

test('the error of a 409 after a lost response suggests no new idempotency key (rows 6 and 21)', async () => {
  const sandbox = opens(createSandbox());
  const platform = new PaymentPlatform(sandbox.clientOptions());
  sandbox.faults.add({ operation: 'submerchants.create', phase: 'after-commit', fault: 'reset' });
  const body = { message: 'still being processed' };
  sandbox.faults.add({ operation: 'submerchants.create', nth: 2, fault: { status: 409, body } });
  const error = await catchError<PaymentPlatformError>(
    platform.submerchants.create({ documentNumber: '12345678909' }),
  );
  expect(error).toMatchObject({ name: 'IdempotencyConflictError', outcome: 'unknown', attempts: 2 });
  expect(error.message).not.toMatch(/new key for|another payload/);
  expect(error.message).toContain('Retry with the same key');
});

test('the sandbox’s journal hides secrets, and a pending fault’s body is frozen', async () => {
  const fieldNames = { 'payment.wallet': 'apple_block' };
  const sandbox = opens(createSandbox({ fieldNames }));
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const { customer: _, ...bare } = pix;
  await platform.payments.create({ ...bare, paymentMethod: 'credit_card', wallet: { data: 'canary-1' } });
  await platform.payments.create({ ...openCard, threeDSData: { cavv: 'canary-2' } });
  await platform.vault.tokenize({ number: '4111111111111111', codigoSeguranca: '7371', holder: 'canary-3' });
  expect(JSON.stringify(sandbox.journal.requests)).not.toMatch(/canary|"7371"/);
  expect(sandbox.journal.requests[0]?.body).toMatchObject({ amount: 1990, apple_block: { data: '***' } });

  const body = { code: { value: 1 } };
  sandbox.faults.add({ fault: { status: 500, body } });
  const [pending] = sandbox.faults.pending;
  const { body: held } = (pending as { fault: object }).fault as { body: typeof body };
  expect(() => Object.assign(held.code, { value: 2 })).toThrow(TypeError);
});
