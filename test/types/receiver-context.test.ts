import { createReceiver, type PostgresPool, postgresDedupe } from 'payment-platform/webhooks';
import { expect, expectTypeOf, test } from 'vitest';

const pool: PostgresPool = { connect: () => Promise.reject(new Error('unused')) };

test('the context that `secret` returns has its type in handlers, identity and hooks', () => {
  const receiver = createReceiver({
    secret: async ({ url }) =>
      url === '/shop-7' ? { secret: 'whsec_0123456789abcdef', context: { shop: 7 } } : undefined,
    dedupe: postgresDedupe(pool, { transaction: true }),
    on: {
      'transaction.paid': (_event, { context, transaction }) => {
        expectTypeOf(context).toEqualTypeOf<{ shop: number }>();
        expectTypeOf(transaction.query).toBeFunction();
      },
    },
    identity: (event, { context }) => {
      expectTypeOf(context.shop).toBeNumber();
      return event.event;
    },
    onDuplicate: (_event, { context }) => expectTypeOf(context.shop).toBeNumber(),
    onReceived: ({ delivery }) =>
      expectTypeOf(delivery.context).toEqualTypeOf<{ shop: number } | undefined>(),
    onError: (_error, { context }) => expectTypeOf(context).toEqualTypeOf<{ shop: number } | undefined>(),
    onRejected: (_error, _headers, { context }) =>
      expectTypeOf(context).toEqualTypeOf<{ shop: number } | undefined>(),
  });
  expect(receiver).toBeDefined();
});

test('the context is undefined if `secret` is a string, or a function that returns one', () => {
  for (const secret of ['whsec_0123456789abcdef', () => 'whsec_0123456789abcdef'])
    createReceiver({
      secret,
      on: { 'transaction.paid': (_event, { context }) => expectTypeOf(context).toBeUndefined() },
    });
  createReceiver({
    secret: ({ url }) => (url === '/' ? 'whsec_0123456789abcdef' : undefined),
    on: { 'transaction.paid': (_event, { context }) => expectTypeOf(context).toBeUndefined() },
  });
  // @ts-expect-error with a context, a plain secret would leave handlers without it
  createReceiver<undefined, { shop: number }>({ secret: () => 'whsec_0123456789abcdef', on: {} });
});
