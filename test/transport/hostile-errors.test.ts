import type { PaymentPlatformError } from 'payment-platform';
import { expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { openCard, paid, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

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
