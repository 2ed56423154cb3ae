import { inspect } from 'node:util';
import { type DriftEvent, type PaymentPlatformError, rawBodyOf } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { openCard, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const id = '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b';

onBothEngines((engine) => {
  const startRejecting = async (status: number, body: unknown) =>
    opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(body), { status }))));

  describe('an error states the operation, method and path of the call', () => {
    const boleto = { operation: 'payments.boleto', method: 'GET', path: '/v1/payments/{id}/boleto' };
    const calls: [string, (platform: ReturnType<typeof clientOn>) => Promise<unknown>, object][] = [
      ['one of a client method', (platform) => platform.payments.boleto(id), boleto],
      [
        'a platform.request to an operation',
        (platform) => platform.request({ method: 'GET', path: `/v1/payments/${id}/boleto` }),
        { ...boleto, operation: 'request' },
      ],
      [
        'a platform.request to an endpoint without an operation',
        (platform) =>
          platform.request({ method: 'PUT', path: '/v3/persons/12345678909/e_mail/a@b.example', body: {} }),
        { operation: 'request', method: 'PUT', path: '/v3/persons/{id}/e_mail/{id}' },
      ],
      ['one with an invalid argument', (platform) => platform.payments.boleto('7'), boleto],
    ];
    test.each(calls)('if that call is %s', async (_, call, which) => {
      const server = await startRejecting(404, {});
      const error = await catchError<PaymentPlatformError>(call(opens(clientOn(engine, server.url))));
      expect(error).toMatchObject(which);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject(which);
    });

    test('after a timeout, an abort and an unreadable response', async () => {
      const server = opens(await rawServer(() => undefined));
      const call = { operation: 'payments.create', method: 'POST', path: '/v1/payments' };
      const platform = opens(clientOn(engine, server.url, { timeout: 200 }));
      const late = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(late.toJSON()).toMatchObject({ name: 'TimeoutError', ...call });
      const signal = AbortSignal.abort();
      const aborted = await catchError<PaymentPlatformError>(platform.payments.create(pix, { signal }));
      expect(aborted.toJSON()).toMatchObject({ name: 'AbortedError', ...call });
      const broken = opens(await rawServer(({ socket }) => socket.write(formatResponse('[]'))));
      const client = opens(clientOn(engine, broken.url, { maxRetries: 0 }));
      const unreadable = await catchError<PaymentPlatformError>(client.payments.create(pix));
      expect(unreadable.toJSON()).toMatchObject({ name: 'UnreadableResponseError', ...call });
    });

    test('even if only the call’s token request failed', async () => {
      const server = await startRejecting(401, {});
      const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ operation: 'payments.create', method: 'POST', path: '/v1/payments' });
      expect(error.cause).toMatchObject({ operation: 'oauth.token', path: '/oauth/token' });
    });
  });

  test('the error of a response with Retry-After states how long the platform asks the client to wait', async () => {
    const headers = { 'retry-after': '3600' };
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatResponse('{}', { status: 429, headers }))),
    );
    const platform = opens(clientOn(engine, server.url));
    const error = await catchError(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 3600 });
    expect(error.message).toContain('(429). The response asks to wait 3600 s. ');
  });

  test('the error of a 400 lists the fields that its body names', async () => {
    const issues = [{ path: 'amount', message: 'is too small' }, { path: 'items.0.title' }];
    const server = await startRejecting(400, { error: { message: 'invalid', issues } });
    const error = await catchError(opens(clientOn(engine, server.url)).payments.create(pix));
    expect(error.message).toContain(
      'The platform says: "invalid". Fields: amount ("is too small"), items.0.title. Nothing',
    );
  });

  describe('personal data (row 65)', () => {
    const order = {
      ...openCard,
      customer: { ...pix.customer, phone: '+55 11 91234-5678' },
    };
    const echo = {
      message: 'Ana Souza (ana@example.com, 123.456.789-09, 11 91234-5678) owes 1990 cents',
      received: order,
      others: { bankAccount: { bankAccount: '987654' }, addressStreet: 'Avenida Paulista' },
    };
    const personal = [/ana souza/i, /ana@example/, /123\.?456\.?789/, /91234/, /987654/, /Paulista/];

    test('is in no error and no hook if a response repeats the data of the request', async () => {
      const server = await startRejecting(400, echo);
      const events: unknown[] = [];
      const record = (event: unknown) => events.push(event);
      const hooks = { onRequest: record, onResponse: record, onRetry: record, onDrift: record };
      const platform = opens(clientOn(engine, server.url, { hooks }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(order as never));
      const shown = inspect([error, error.toJSON(), error.cause, events], { depth: 20, showHidden: true });
      for (const pattern of personal) expect(shown).not.toMatch(pattern);
      expect(error.message).toContain('owes 1990 cents');
      expect(error.body).toEqual({ message: expect.stringContaining('1990 cents') });
      expect(rawBodyOf(error)).toEqual(JSON.parse(JSON.stringify(echo)));
    });

    test('is in no event for onDrift', async () => {
      const body = { ...paid, status: 'ana@example.com', 'ana@example.com': 1 };
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(body)))),
      );
      const drifts: DriftEvent[] = [];
      const hooks = { onDrift: (event: DriftEvent) => drifts.push(event) };
      await opens(clientOn(engine, server.url, { hooks })).payments.create(pix);
      expect(drifts).toHaveLength(1);
      expect(JSON.stringify(drifts)).not.toContain('ana@');
    });

    test('is in a call’s result, because the caller asked for it', async () => {
      const body = { ...paid, customer: { name: 'Ana Souza', email: 'ana@example.com' } };
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(body)))),
      );
      expect(await opens(clientOn(engine, server.url)).payments.create(pix)).toEqual(body);
    });
  });
});
