import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { afterEach, describe, expect, test } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { openCard, paid, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

/** Creates an object that throws at every operation. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('a revoked Proxy object (row 62)', () => {
  test('causes one typed error if fetch throws it', async () => {
    const fetch = async () => {
      throw revoked();
    };
    const platform = new PaymentPlatform({ baseUrl: 'https://platform.example', ...credentials, fetch });
    const error = await catchError(platform.payments.create(pix, { maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  });

  test('causes one typed error if a getter of the body throws it', async () => {
    const platform = new PaymentPlatform(createSandbox().clientOptions());
    const order = Object.defineProperty({ ...pix }, 'metadata', {
      enumerable: true,
      get() {
        throw revoked();
      },
    });
    expect(await catchError(platform.payments.create(order))).toMatchObject({ name: 'ValidationError' });
  });
});

describe('a polluted Object.prototype (row 62)', () => {
  const changed: string[] = [];
  const change = (properties: object) => {
    changed.push(...Object.keys(properties));
    Object.assign(Object.prototype, properties);
  };
  afterEach(() => {
    for (const name of changed.splice(0))
      delete (Object.prototype as unknown as Record<string, unknown>)[name];
  });

  onBothEngines((engine) => {
    test('adds no details to an error', async () => {
      const server = opens(
        await rawServer(({ socket }) => socket.end(formatResponse('{}', { status: 400 }))),
      );
      const platform = opens(clientOn(engine, server.url));
      change({ fields: 'x', outcome: 'executed', query: 'x', location: 'x', rawBody: 'x' });
      const rejected = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect([rejected.name, rejected.outcome, rejected.status]).toEqual([
        'BadRequestError',
        'not-executed',
        400,
      ]);
      const wrong = await catchError<PaymentPlatformError>(platform.payments.create({ ...pix, amount: 1 }));
      expect([wrong.name, wrong.outcome]).toEqual(['ValidationError', 'not-executed']);
    });

    test('turns off no check', async () => {
      const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
      const platform = opens(clientOn(engine, server.url, { checks: 'document' }));
      change({ check: 'key.misplaced' });
      const error = await catchError<PaymentPlatformError>(platform.payments.create({ ...pix, amount: 1 }));
      expect(error.name).toBe('ValidationError');
      expect(server.requests).toHaveLength(0);
    });
  });
});

onBothEngines((engine) => {
  test('an event for onDrift contains no value from the response (row 63)', async () => {
    const drifted = {
      ...paid,
      amount: '737',
      created_at411: 1,
      items: [{ title: 'x', quantity: '737', unitPrice: 73.7 }],
    };
    const { createdAt: _, ...body } = drifted;
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(body)))));
    const drifts: string[] = [];
    const hooks = {
      onDrift: ({ issues }: object & { issues: unknown }) => drifts.push(JSON.stringify(issues)),
    };
    const platform = opens(clientOn(engine, server.url, { hooks }));
    await platform.payments.create(openCard);
    expect(drifts).toHaveLength(1);
    expect(drifts[0]).not.toMatch(/737|73\.7/);
    expect(drifts[0]).toContain('must be a number, not a string');
  });

  test.each([
    '{"id":01234567890123456789}',
    '{"id":-01e999}',
    '{"a":1.e400}',
    '{"a":1,12345678901234567890:1}',
  ])('the SDK rejects the invalid JSON %s in a response', async (body) => {
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(body))));
    const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
    expect(await catchError(platform.payments.create(pix))).toMatchObject({
      name: 'UnreadableResponseError',
    });
  });

  test.each([
    ['req_9f86d081884c7d659a2feaa0', 'a prefix of the secret'],
    ['9f86d081-884c-7d65-9a2f-eaa0c55ad01f', 'all but the last character of the secret'],
    ['41111111-1111-111a-aaaa-aaaaaaaaaaaa', 'the digits of a card number'],
  ])('the request id %s is hidden because it contains %s', async (requestId) => {
    const head = { status: 500, headers: { 'x-request-id': requestId } };
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse('{}', head))));
    const clientSecret = '9f86d081884c7d659a2feaa0c55ad015';
    const platform = opens(clientOn(engine, server.url, { clientSecret, maxRetries: 0 }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard));
    expect(error.requestId).toBeUndefined();
  });
});
