import { type PaymentPlatformError, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { beforeEach, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Lists strings that a header carries unchanged, hostile strings first. */
const keys = [
  'prefixUrl',
  '__proto__',
  'constructor',
  'false',
  '0',
  '-',
  '"quoted"',
  'order 1042 of 2026',
  'a,b',
  'k; q=1',
  '%0d%0a',
  'nullable-1',
  'order-null-7',
  'nullable',
  'a/NaN/b',
  'x9NaNq',
  'orderNaN',
  'pool-Infinity-2',
  "~!@#$%^&*()_+{}|:<>?`-=[]\\;',./",
  'x'.repeat(255),
];

onBothEngines((engine) => {
  test.each(keys)(
    'the idempotency key %s is sent unchanged in every attempt (row 55)',
    async (idempotencyKey) => {
      const server = opens(
        await rawServer(({ socket, index }) =>
          index === 0 ? socket.destroy() : socket.end(formatResponse(JSON.stringify(paid))),
        ),
      );
      const platform = opens(clientOn(engine, server.url));
      const payment = await platform.payments.create(pix, { idempotencyKey });
      expect(server.requests.map(({ headers }) => headers['x-idempotency-key'])).toEqual([
        idempotencyKey,
        idempotencyKey,
      ]);
      expect(responseOf(payment).idempotencyKey).toBe(idempotencyKey);
    },
  );

  test.each(keys)(
    'if the response is lost after the charge, retries with the idempotency key %s leave only one charge',
    async (idempotencyKey) => {
      const sandbox = opens(createSandbox());
      const server = opens(await sandbox.listen());
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      const own = engine === 'ky' ? { fetch: globalThis.fetch } : {};
      const platform = opens(clientOn(engine, server.url, { ...server.clientOptions(), ...own }));
      await platform.payments.create(pix, { idempotencyKey });
      expect(sandbox.ledger.charges).toHaveLength(1);
      expect(sandbox.ledger.chargesFor(idempotencyKey)).toHaveLength(1);
    },
  );

  test('the header value "", "undefined" or "null" is sent unchanged if the caller sets it (row 55)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    await platform.payments.create(pix, {
      headers: { 'x-mode': 'undefined', 'x-null': 'null', 'x-empty': '' },
    });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-mode': 'undefined',
      'x-null': 'null',
      'x-empty': '',
    });
  });

  test.each(['undefined', 'null', 'NaN', '[object Object]'])(
    'the client rejects the resource id %s',
    async (id) => {
      const platform = opens(clientOn(engine, 'http://127.0.0.1:9'));
      const error = await catchError<PaymentPlatformError>(platform.payments.boleto(id));
      expect(error).toMatchObject({ name: 'ValidationError', attempts: 0 });
      expect(error.message).toContain('A value was missing');
    },
  );

  test.each(['undefined', 'null'])('the client rejects credentials that are the string %s', (text) => {
    expect(() => clientOn(engine, 'http://127.0.0.1:9', { clientId: text, clientSecret: text })).toThrow(
      /clientId is the string .*\n- clientSecret is the string/,
    );
  });
});
