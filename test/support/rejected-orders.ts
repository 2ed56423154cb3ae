import { inspect } from 'node:util';
import type { ClientOptions, PaymentPlatformError } from 'payment-platform';
import { afterAll, beforeAll, expect } from 'vitest';
import { catchError, clientOn, type EngineUnderTest } from './engines.js';
import { sentOrder, sentSecret } from './platform-messages.js';
import { formatResponse, type RawServer, rawServer } from './raw-server.js';

const { customer, items, amount, externalId, threeDSData, card, ...others } = sentOrder;
const { cardTokenId, ...rawCard } = card;

/**
 * The same values in an order that the client accepts. Fields that cannot be combined are in the metadata.
 */
const order = {
  externalId,
  amount,
  paymentMethod: 'credit_card',
  customer,
  items,
  card: rawCard,
  threeDSData,
  metadata: { ...others, cardTokenId },
} as const;

/** Lists error bodies of different platforms, all with the same message. */
export const shapes: ((message: string) => object)[] = [
  (message) => ({ code: 'invalid', message }),
  (message) => ({ error: { message } }),
  (message) => ({ type: 'about:blank', title: 'Invalid', detail: message }),
  (message) => ({ error: 'invalid_request', error_description: message }),
  (message) => ({ codigo: 7, mensagem: message }),
];

/** Matches source ports, times and positions, which can contain an echo's digits by chance. */
export const byChance = /127\.0\.0\.1:\d+|(?<=[:[,]\s*)\d+(?:\.\d+)?(?:e-?\d+)?(?=[,\]}:)\s])/g;

/** Without this header, fetch would send the next request over a connection that the server is closing. */
const headers = { connection: 'close' };

/** Starts a platform that rejects every order, and returns a function that sends one to it. */
export function rejectedOrders(engine: EngineUnderTest) {
  let responseBody: object = {};
  let server: RawServer;
  beforeAll(async () => {
    server = await rawServer(({ socket }) =>
      socket.end(formatResponse(JSON.stringify(responseBody), { status: 422, headers })),
    );
  });
  afterAll(() => server.close());

  /** Sends the order, and returns the error with everything that a log or a hook can show about the error. */
  return async function sendRejected(body: object, options: ClientOptions = {}) {
    responseBody = body;
    const events: unknown[] = [];
    const record = (event: unknown) => void events.push(event);
    const hooks = { onRequest: record, onResponse: record, onRetry: record, onDrift: record };
    const platform = clientOn(engine, server.url, {
      clientSecret: sentSecret,
      auth: 'headers',
      maxRetries: 0,
      hooks,
      ...options,
    });
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(order, { idempotencyKey: 'order-1042' }),
    );
    const everything = {
      message: error.message,
      stack: error.stack,
      json: JSON.stringify(error),
      string: String(error),
      inspect: inspect(error, { depth: 20, showHidden: true, getters: true }),
      cause: inspect(error.cause, { depth: 20, showHidden: true }),
      hooks: inspect(events, { depth: 20 }) + JSON.stringify(events),
    };
    platform.close();
    expect(events.length, error.message).toBeGreaterThan(0);
    return { error, everything };
  };
}
