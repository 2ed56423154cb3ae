import { inspect } from 'node:util';
import { openTelemetry, type PaymentPlatformError } from 'payment-platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { echoes, platformMessages, sentOrder, sentSecret } from '../support/platform-messages.js';
import { formatResponse, type RawServer, rawServer } from '../support/raw-server.js';
import { registeredTelemetry } from '../support/telemetry.js';

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
const shapes: ((message: string) => object)[] = [
  (message) => ({ code: 'invalid', message }),
  (message) => ({ error: { message } }),
  (message) => ({ type: 'about:blank', title: 'Invalid', detail: message }),
  (message) => ({ error: 'invalid_request', error_description: message }),
  (message) => ({ codigo: 7, mensagem: message }),
];

/** Matches source ports, times and positions, which can contain an echo's digits by chance. */
const byChance = /127\.0\.0\.1:\d+|(?<=[:[,]\s*)\d+(?:\.\d+)?(?:e-?\d+)?(?=[,\]}:)\s])/g;

/** Without this header, fetch would send the next request over a connection that the server is closing. */
const headers = { connection: 'close' };

onBothEngines((engine) => {
  let responseBody: object = {};
  let server: RawServer;
  beforeAll(async () => {
    server = await rawServer(({ socket }) =>
      socket.end(formatResponse(JSON.stringify(responseBody), { status: 422, headers })),
    );
  });
  afterAll(() => server.close());

  /**
   * Sends the order, and returns the error with everything that a log, a hook or a span can show about the
   * error.
   */
  async function sendRejected(body: object, message: string) {
    responseBody = body;
    const telemetry = registeredTelemetry();
    const events: unknown[] = [];
    const record = (event: unknown) => void events.push(event);
    const hooks = { onRequest: record, onResponse: record, onRetry: record, onDrift: record };
    const platform = clientOn(engine, server.url, {
      clientSecret: sentSecret,
      auth: 'headers',
      maxRetries: 0,
      hooks,
      telemetry: openTelemetry(telemetry.api),
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
      telemetry: await telemetry.everything(),
    };
    platform.close();
    await telemetry.close();
    expect(events.length, error.message).toBeGreaterThan(0);
    expect(everything.telemetry, message).toContain('422');
    return { error, everything };
  }

  // message-redactor.test.ts has all of them.
  const some = platformMessages.filter((_, index) => index % 11 === 0);
  test.each(some)('an error quotes the platform’s message unchanged: %s', async (message) => {
    for (const shape of shapes) {
      const { error } = await sendRejected(shape(message), message);
      expect(error.body?.message).toBe(message);
      expect(error.message).toContain(message);
    }
  });

  test.each(echoes)('no message, log, hook or span shows %s', async (_, message, hidden) => {
    for (const shape of shapes) {
      const { error, everything } = await sendRejected(shape(message), message);
      expect(error.body?.message).toContain('[redacted]');
      for (const [sink, text] of Object.entries(everything))
        for (const part of hidden)
          expect(text?.replace(byChance, '').toLowerCase(), sink).not.toContain(part.toLowerCase());
    }
  });
});
