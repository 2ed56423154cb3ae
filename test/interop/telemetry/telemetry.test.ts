import http from 'node:http';
import { context, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  type ClientOptions,
  openTelemetry,
  PaymentPlatform,
  type PaymentPlatformError,
} from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../../support/engines.js';
import { openCard, paid, pix } from '../../support/payments.js';
import { formatResponse, type RawServer, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';
import { tokenServer } from '../../support/token-server.js';
import { registeredTelemetry } from './registered-telemetry.js';

const opens = closedAfterEach();

beforeEach(() => {
  // Sets full jitter to its lower end, so that retries follow at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Starts a server that responds with these statuses in order. The last status repeats. */
const statuses = (...codes: number[]) =>
  rawServer(({ socket, index }) => {
    const status = codes[index] ?? (codes.at(-1) as number);
    const body = status < 300 ? paid : { message: 'no', received: openCard };
    socket.write(formatResponse(JSON.stringify(body), { status }));
  });

const getTraceId = (span: ReadableSpan) => span.spanContext().traceId;

onBothEngines((engine) => {
  const shop = (server: Pick<RawServer, 'url'>, options: ClientOptions = {}) => {
    const telemetry = opens(registeredTelemetry());
    const platform = opens(
      clientOn(engine, server.url, { telemetry: openTelemetry(telemetry.api), ...options }),
    );
    return { telemetry, platform };
  };

  test('a call with two retries has one span, which contains a span for each of its three attempts', async () => {
    const server = opens(await statuses(503, 429, 201));
    const { telemetry, platform } = shop(server);
    await platform.payments.create(pix);
    const [first, second, third, call, ...more] = telemetry.spans();
    expect(more).toEqual([]);
    const common = {
      'payment_platform.operation': 'payments.create',
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'server.port': server.port,
      'url.full': `${server.url}/v1/payments`,
      'url.template': '/v1/payments',
    };
    expect(call).toMatchObject({ name: 'payments.create', kind: 2, status: { code: 0 } });
    expect(call?.attributes).toEqual({
      ...common,
      'payment_platform.outcome': 'executed',
      'payment_platform.attempts': 3,
      'http.response.status_code': 201,
    });
    expect(call?.events.map(({ name, attributes }) => [name, attributes?.['error.type']])).toEqual([
      ['payment_platform.retry', '503'],
      ['payment_platform.retry', '429'],
    ]);
    expect([first, second, third].map((span) => span?.attributes)).toEqual([
      { ...common, 'payment_platform.attempt': 1, 'http.response.status_code': 503, 'error.type': '503' },
      {
        ...common,
        'payment_platform.attempt': 2,
        'http.request.resend_count': 1,
        'payment_platform.retry.reason': 'the platform failed (503)',
        'http.response.status_code': 429,
        'error.type': '429',
      },
      {
        ...common,
        'payment_platform.attempt': 3,
        'http.request.resend_count': 2,
        'payment_platform.retry.reason': 'rate limit exceeded (429)',
        'http.response.status_code': 201,
      },
    ]);
    for (const attempt of [first, second, third]) {
      expect(attempt).toMatchObject({ name: 'POST /v1/payments', kind: 2 });
      expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    }
    expect([first, second, third].map((span) => span?.status.code)).toEqual([2, 2, 0]);
  });

  test('telemetry measures a call’s duration, outcome and retries', async () => {
    const { telemetry, platform } = shop(opens(await statuses(503, 201, 400)));
    await platform.payments.create(pix);
    await catchError(platform.payments.create(pix));
    const calls = await telemetry.points('payment_platform.client.calls');
    expect(calls.map(({ attributes, value }) => [attributes, value])).toMatchObject([
      [{ 'payment_platform.operation': 'payments.create', 'payment_platform.outcome': 'executed' }, 1],
      [
        {
          'payment_platform.outcome': 'not-executed',
          'http.response.status_code': 400,
          'error.type': 'BadRequestError',
        },
        1,
      ],
    ]);
    const durations = await telemetry.points('payment_platform.client.call.duration');
    expect(durations.map(({ value }) => value)).toMatchObject([{ count: 1 }, { count: 1 }]);
    expect(await telemetry.points('payment_platform.client.retries')).toMatchObject([
      { attributes: { 'payment_platform.operation': 'payments.create', 'error.type': '503' }, value: 1 },
    ]);
  });

  test('telemetry records the outcome unknown for a payment whose connection was reset', async () => {
    const server = opens(await rawServer(({ socket }) => socket.resetAndDestroy()));
    const { telemetry, platform } = shop(server, { maxRetries: 1 });
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error.outcome).toBe('unknown');
    const call = telemetry.spans().at(-1);
    expect(call).toMatchObject({ status: { code: 2, message: 'ConnectionError' } });
    expect(call?.attributes).toMatchObject({
      'payment_platform.outcome': 'unknown',
      'payment_platform.attempts': 2,
      'error.type': 'ConnectionError',
    });
    expect(call?.attributes).not.toHaveProperty('http.response.status_code');
    expect(telemetry.spans()[0]?.attributes).toMatchObject({ 'error.type': 'ConnectionError' });
  });

  test('exported telemetry contains no secret, personal data or idempotency key (rows 50 and 65)', async () => {
    const server = opens(await statuses(500, 500, 400));
    const { telemetry, platform } = shop(server);
    await catchError(platform.payments.create(openCard, { idempotencyKey: 'order-of-ana-7' }));
    const seller = '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b';
    await catchError(platform.payments.boleto(seller));
    const query = { cpf: '12345678909', token: 'tok_canary_1' };
    await catchError(platform.request({ method: 'GET', path: '/v1/persons/ana@example.com', query }));
    const exported = await telemetry.everything();
    expect(exported).toContain('/v1/payments/{id}/boleto');
    const { card, customer } = openCard;
    const secrets = [credentials.clientSecret, credentials.clientId, card.number, query.token];
    // Trace ids and times can contain any three digits by chance.
    expect(exported.replace(/[\da-f]{4,}/g, '')).not.toContain(card.cvv);
    for (const canary of [...secrets, customer.name, customer.email, query.cpf, 'order-of-ana-7', seller])
      expect(exported.includes(canary), canary).toBe(false);
  });

  test('the spans of the application, the SDK and the network form one trace', async () => {
    const server = opens(await statuses(201));
    const telemetry = opens(registeredTelemetry());
    const { trace } = telemetry.api;
    const active: (string | undefined)[] = [];
    const request = http.request;
    vi.spyOn(http, 'request').mockImplementation(((...args: Parameters<typeof request>) => {
      active.push(trace.getActiveSpan()?.spanContext().spanId);
      return request(...args);
    }) as typeof request);
    const fetch: typeof globalThis.fetch = (...args) => {
      active.push(trace.getActiveSpan()?.spanContext().spanId);
      return globalThis.fetch(...args);
    };
    const platform = opens(
      clientOn(engine, server.url, {
        telemetry: openTelemetry(telemetry.api),
        ...(engine === 'ky' && { fetch }),
      }),
    );
    await trace.getTracer('shop').startActiveSpan('order', async (span) => {
      await platform.payments.create(pix);
      span.end();
    });
    const [attempt, call, order] = telemetry.spans();
    expect(call?.parentSpanContext?.spanId).toBe(order?.spanContext().spanId);
    expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(active).toEqual([attempt?.spanContext().spanId]);
  });

  test('a token request has its own span inside the call’s span', async () => {
    const server = opens(await tokenServer());
    const { telemetry, platform } = shop(server, { auth: 'oauth' });
    await platform.payments.create(pix);
    const names = telemetry.spans().map(({ name }) => name);
    expect(names).toEqual(['POST /oauth/token', 'oauth.token', 'POST /v1/payments', 'payments.create']);
    expect(new Set(telemetry.spans().map(getTraceId)).size).toBe(1);
  });

  describe('trace headers', () => {
    test('are sent without baggage if a propagator is registered', async () => {
      const server = opens(await statuses(503, 201));
      const { telemetry, platform } = shop(server);
      const { context, propagation } = telemetry.api;
      const bag = propagation.createBaggage({ cpf: { value: '12345678909' } });
      await context.with(propagation.setBaggage(context.active(), bag), () => platform.payments.create(pix));
      const [first, second, call] = telemetry.spans();
      const parents = [first, second].map(
        (span) => `00-${getTraceId(call as never)}-${span?.spanContext().spanId}-01`,
      );
      expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual(parents);
      expect(server.requests.map(({ headers }) => headers.baggage)).toEqual([undefined, undefined]);
    });

    test('are not sent if no propagator is registered, or if the caller sets them', async () => {
      const server = opens(await statuses(201));
      const telemetry = opens(registeredTelemetry({ propagates: false }));
      const platform = opens(clientOn(engine, server.url, { telemetry: openTelemetry(telemetry.api) }));
      await platform.payments.create(pix);
      const headers = { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' };
      const { trace, context, propagation } = opens(registeredTelemetry()).api;
      const other = opens(
        clientOn(engine, server.url, { telemetry: openTelemetry({ trace, context, propagation }) }),
      );
      await other.payments.create(pix, { headers });
      expect(server.requests.map((request) => request.headers.traceparent)).toEqual([
        undefined,
        headers.traceparent,
      ]);
    });

    test('cannot replace the SDK’s headers, and cannot have invalid values', async () => {
      const server = opens(await statuses(201));
      const { trace, context } = opens(registeredTelemetry()).api;
      const propagation = {
        inject: (_: unknown, carrier: object) =>
          Object.assign(carrier, {
            'client-secret': 'stolen',
            'x-idempotency-key': 'other',
            authorization: 'Bearer x',
            tracestate: 'a=b\r\nx-evil: 1',
            traceparent: 7,
            B3: '0',
          }),
      };
      const platform = opens(
        clientOn(engine, server.url, { telemetry: openTelemetry({ trace, context, propagation }) }),
      );
      await platform.payments.create(pix, { idempotencyKey: 'order-1042' });
      const { headers } = server.requests[0] as RawServer['requests'][number];
      expect(headers).toMatchObject({ 'client-secret': credentials.clientSecret, b3: '0' });
      expect(headers['x-idempotency-key']).toBe('order-1042');
      for (const name of ['authorization', 'tracestate', 'traceparent', 'x-evil'])
        expect(headers).not.toHaveProperty(name);
    });
  });

  describe('broken telemetry never harms a payment (row 66)', () => {
    const thrower = () => {
      throw new Error('telemetry is down');
    };
    const span = { setAttributes: thrower, addEvent: thrower, setStatus: thrower, end: thrower };
    const works = { getTracer: () => ({ startSpan: () => span }), setSpan: () => ({}) };
    const context = { active: () => ({}), with: (_: unknown, work: () => unknown) => work() };
    const meter = { record: thrower, add: thrower };
    const broken: Record<string, object> = {
      'no tracer': { trace: { getTracer: thrower, setSpan: thrower }, context },
      'no span': { trace: { getTracer: () => ({ startSpan: thrower }), setSpan: thrower }, context },
      'a span that is none': { trace: { ...works, getTracer: () => ({ startSpan: () => null }) }, context },
      'spans that throw': { trace: works, context },
      'no context': { trace: works, context: { active: thrower, with: thrower } },
      'a context that forgets the work': { trace: works, context: { ...context, with: () => undefined } },
      'a context that runs the work twice': {
        trace: works,
        context: { ...context, with: (_: unknown, work: () => unknown) => [work(), work()] },
      },
      'a context that throws after the work': {
        trace: works,
        context: {
          ...context,
          with: (_: unknown, work: () => unknown) => {
            work();
            throw new Error('too late');
          },
        },
      },
      'a context that makes its own promises': {
        trace: works,
        context: { ...context, with: async (_: unknown, work: () => Promise<unknown>) => await work() },
      },
      'no meter': { trace: works, context, metrics: { getMeterProvider: thrower, getMeter: thrower } },
      'instruments that throw': {
        trace: works,
        context,
        metrics: {
          getMeterProvider: () => meter,
          getMeter: () => ({ createHistogram: () => meter, createCounter: () => meter }),
        },
      },
      'a propagator that throws': { trace: works, context, propagation: { inject: thrower } },
    };
    test.each(Object.entries(broken))(
      'a call succeeds although telemetry is broken: %s',
      async (_, telemetry) => {
        const server = opens(await statuses(503, 201, 400));
        const platform = opens(
          clientOn(engine, server.url, { telemetry: openTelemetry(telemetry as never) }),
        );
        await expect(platform.payments.create(pix)).resolves.toEqual(paid);
        expect(server.requests).toHaveLength(2);
        const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
        expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'not-executed' });
        expect(server.requests).toHaveLength(3);
      },
    );
  });
});

test('telemetry uses providers even if they are registered after the first call', async () => {
  const server = opens(await statuses(201));
  const { api } = registeredTelemetry();
  for (const part of [api.trace, api.metrics, api.context, api.propagation]) part.disable();
  const platform = opens(clientOn('node', server.url, { telemetry: openTelemetry(api) }));
  await platform.payments.create(pix);
  const telemetry = opens(registeredTelemetry());
  await platform.payments.create(pix);
  expect(telemetry.spans().map(({ name }) => name)).toEqual(['POST /v1/payments', 'payments.create']);
  expect(await telemetry.points('payment_platform.client.calls')).toHaveLength(1);
});

describe('openTelemetry', () => {
  const rule = 'pass the module @opentelemetry/api, or an object with its trace and context';

  test.each([
    ['true', true, rule],
    ['null', null, rule],
    ['an empty object', {}, rule],
    ['a module without context', { trace }, rule],
    ['metrics of another module', { trace, context, metrics: {} }, 'metrics does not come from'],
    [
      'a propagation of another module',
      { trace, context, propagation: { inject: 1 } },
      'propagation does not come from',
    ],
  ])('rejects %s', (_, api, message) => {
    expect(() => openTelemetry(api as never)).toThrow(message);
  });

  test('is named if the module itself is passed as the option telemetry', () => {
    const options = { baseUrl: 'https://platform.example', ...credentials };
    expect(() => new PaymentPlatform({ ...options, telemetry: { trace, context } as never })).toThrow(
      'telemetry must be openTelemetry(api), where api is the module @opentelemetry/api',
    );
  });
});
