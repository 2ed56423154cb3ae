import type { Socket } from 'node:net';
import type { Checks } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

// Retries do not wait.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const uuid = '0b9a4c5e-1f2d-4e3a-8b7c-6d5e4f3a2b1c';
const order = (externalId: string) => ({ ...pix, externalId });
const formatPayment = (externalReference: unknown, id = `p-${externalReference}`) =>
  formatResponse(JSON.stringify({ id, status: 'paid', externalReference }));
const sentOrder = (body: string): string => JSON.parse(body).externalId;

onBothEngines((engine) => {
  /** Returns a client of a server that responds with the payment of one order. */
  const responding = async (externalReference: unknown, checks?: Checks) => {
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatPayment(externalReference, uuid))),
    );
    return { server, platform: opens(clientOn(engine, server.url, { checks })) };
  };

  describe('a returned payment whose externalReference is not the externalId that was sent (row 86)', () => {
    test('causes retries with the same key, and then an error with an unknown outcome', async () => {
      const { server, platform } = await responding('order-1');
      const error = await catchError(platform.payments.create(order('order-2'), { idempotencyKey: 'k-2' }));
      expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts: 3 });
      expect(error.message).toContain(
        `it is for another request (id ${uuid}): its externalReference is not the externalId that was sent`,
      );
      expect(error.message).not.toContain('order-1');
      expect(new Set(server.requests.map(({ headers }) => headers['x-idempotency-key']))).toEqual(
        new Set(['k-2']),
      );
    });

    test.each(['Ana Souza, 123', '12345678909', 7])(
      'is described in the error without its id if the id is %j',
      async (id) => {
        const server = opens(
          await rawServer(({ socket }) => socket.write(formatPayment('order-1', id as string))),
        );
        const platform = opens(clientOn(engine, server.url));
        const { message } = await catchError(platform.payments.create(order('order-2')));
        expect(message).toContain('it is for another request: its externalReference');
      },
    );

    test('is the result if the check payment.reference is turned off', async () => {
      const { platform } = await responding('order-1', { 'payment.reference': false });
      expect(await platform.payments.create(order('order-2'))).toMatchObject({
        externalReference: 'order-1',
      });
    });

    test("is rejected even with checks: 'document'", async () => {
      const { platform } = await responding('order-1', 'document');
      expect(await catchError(platform.payments.create(order('order-2')))).toMatchObject({
        outcome: 'unknown',
      });
    });

    test('is also rejected by platform.request', async () => {
      const { platform } = await responding('order-1');
      const call = platform.request({ method: 'POST', path: '/v1/payments', body: order('order-2') });
      expect(await catchError(call)).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown' });
    });
  });

  test.each([
    ['in capitals', 'Pedido José 7', 'PEDIDO JOSÉ 7'],
    ['trimmed', ' order-7 ', 'order-7'],
    ['in another Unicode form', 'jose\u0301-7', 'josé-7'],
    ['without accents', 'josé-7', 'jose-7'],
    ['without symbols', 'a&b-7', 'ab7'],
    ['cut off after 32 letters and digits', 'x'.repeat(300), 'x'.repeat(32)],
    ['cut off before a number', `7${'x'.repeat(40)}12`, `7${'x'.repeat(40)}`],
    ['cut off after a number', `${'x'.repeat(40)}-1-a2`, `${'x'.repeat(40)}-1`],
    ['replaced with an empty string', 'order-7', ''],
    ['as a number', '1042', 1042],
    ['without a combining mark', 'maéb-7', 'maeb-7'],
  ])('a payment is accepted if its externalReference is the sent externalId %s', async (_, sent, echo) => {
    const { platform } = await responding(echo);
    expect(await platform.payments.create(order(sent))).toMatchObject({ externalReference: echo });
  });

  test.each([
    ['the beginning of a short externalId', 'order-ana', 'order'],
    ['the beginning of a short externalId, cut in its number', 'order-10', 'order-1'],
    ['an externalId with its separators elsewhere', 'order-1-23', 'order-12-3'],
    ['the beginning of a long externalId, cut in its number', `${'x'.repeat(40)}-12`, `${'x'.repeat(40)}-1`],
    ['a number other than the externalId', '1042', 9999],
    ['the end of a long externalId', `order-1-${'x'.repeat(40)}`, 'x'.repeat(40)],
  ])('a payment is rejected if its externalReference is %s', async (_, sent, echo) => {
    const { platform } = await responding(echo);
    expect(await catchError(platform.payments.create(order(sent)))).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['the sent externalId', 'order-2'],
    ['null', null],
    ['absent', undefined],
  ])('a payment is accepted if its externalReference is %s', async (_, externalReference) => {
    const { platform } = await responding(externalReference);
    expect(await platform.payments.create(order('order-2'))).toMatchObject({ status: 'paid' });
  });

  test('a payment that was sent without an externalId can have any externalReference', async () => {
    const { platform } = await responding('chosen-by-the-platform');
    const { externalId: _, ...rest } = order('unused');
    expect(await platform.payments.create(rest)).toMatchObject({ status: 'paid' });
  });
});

test('a response that a gateway repeats on a keep-alive connection causes a retry, and not a wrong payment (row 86)', async () => {
  const server = opens(
    await rawServer(({ request, socket, index }) => {
      socket.write(formatPayment(index === 1 ? 'order-1' : sentOrder(request.body)));
    }),
  );
  const platform = opens(clientOn('node', server.url));
  for (const id of ['order-1', 'order-2', 'order-3'])
    expect(await platform.payments.create(order(id), { idempotencyKey: id })).toMatchObject({
      id: `p-${id}`,
    });
  expect(server.requests.map(({ headers }) => headers['x-idempotency-key'])).toEqual([
    'order-1',
    'order-2',
    'order-2',
    'order-3',
  ]);
  expect(server.connections).toBe(2);
});

onBothEngines((engine) => {
  test.each([
    ['an error', '{"code":"bad"}', 400],
    ['another payment', JSON.stringify({ id: 'p-other', status: 'paid' }), 201],
  ])(
    'bytes of %s that arrive on an idle connection are not read as the response to the next request (row 86)',
    async (_, body, status) => {
      let connection: Socket | undefined;
      const server = opens(
        await rawServer(({ request, socket }) => {
          connection = socket;
          socket.write(formatPayment(sentOrder(request.body)));
        }),
      );
      const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
      await platform.payments.create(order('order-1'), { idempotencyKey: 'order-1' });
      // The bytes arrive before the event loop can read them.
      connection?.write(formatResponse(body, { status }));
      const payment = await platform.payments.create(order('order-2'), { idempotencyKey: 'order-2' });
      expect(payment.id).toBe('p-order-2');
      expect(server.requests).toHaveLength(2);
    },
  );
});
