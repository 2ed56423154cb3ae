import { delay, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { PaymentPlatform, responseOf, version } from 'payment-platform';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { catchError, clientOn, credentials, onBothEngines } from './support/engines.js';
import { registration } from './support/form-server.js';
import { pf } from './support/onboarding.js';
import { openCard, paid, pix } from './support/payments.js';

const baseUrl = 'https://platform.example/api';
const network = setupServer();
beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
afterEach(() => network.resetHandlers());
afterAll(() => network.close());

/** Records requests as they leave the process. */
function recording(...responses: (() => Response | Promise<Response>)[]) {
  const seen: { url: string; method: string; headers: Headers; body: string }[] = [];
  network.use(
    http.all('https://platform.example/*', async ({ request }) => {
      seen.push({
        url: request.url,
        method: request.method,
        headers: request.headers,
        body: await request.clone().text(),
      });
      return (responses[seen.length - 1] ?? responses.at(-1) ?? (() => HttpResponse.json(paid)))();
    }),
  );
  return seen;
}

onBothEngines((engine) => {
  const platform = (options = {}) => clientOn(engine, baseUrl, options);

  test('payments.create sends the payment with a new idempotency key, and returns the response', async () => {
    const seen = recording(() =>
      HttpResponse.json(paid, { status: 201, headers: { 'x-request-id': 'req-1' } }),
    );
    const payment = await platform().payments.create(openCard);
    expect(payment).toEqual(paid);
    expect(Object.getPrototypeOf(payment)).toBe(Object.prototype);
    expect(seen).toHaveLength(1);
    const [request] = seen;
    expect(request).toMatchObject({ url: `${baseUrl}/v1/payments`, method: 'POST' });
    expect(JSON.parse(request?.body ?? '')).toEqual(openCard);
    const { idempotencyKey } = responseOf(payment);
    expect(idempotencyKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      'client-id': credentials.clientId,
      'client-secret': credentials.clientSecret,
      'content-type': 'application/json',
      'x-idempotency-key': idempotencyKey,
      'user-agent': `payment-platform/${version}`,
      accept: 'application/json',
    });
    expect(responseOf(payment)).toMatchObject({
      status: 201,
      requestId: 'req-1',
      attempts: 1,
      headers: { 'x-request-id': 'req-1' },
    });
  });

  test('payments.create sends a random idempotency key, the caller’s key, or no key if it is null', async () => {
    const seen = recording();
    const client = platform();
    const first = responseOf(await client.payments.create(pix)).idempotencyKey;
    const second = responseOf(await client.payments.create(pix)).idempotencyKey;
    expect(first).not.toBe(second);
    expect(
      responseOf(await client.payments.create(pix, { idempotencyKey: 'order-1042' })).idempotencyKey,
    ).toBe('order-1042');
    expect(
      responseOf(await client.payments.create(pix, { idempotencyKey: null })).idempotencyKey,
    ).toBeUndefined();
    expect(seen.map(({ headers }) => headers.get('x-idempotency-key'))).toEqual([
      first,
      second,
      'order-1042',
      null,
    ]);
  });

  test('one call’s options do not affect the next call', async () => {
    const seen = recording();
    const client = platform();
    await client.payments.create(pix, {
      idempotencyKey: 'order-1042',
      headers: { 'x-shop': 'a' },
      extraBody: { note: 'x' },
    });
    await client.payments.create(pix);
    expect(seen[0]?.headers.get('x-shop')).toBe('a');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ ...pix, note: 'x' });
    expect(seen[1]?.headers.get('x-shop')).toBeNull();
    expect(seen[1]?.headers.get('x-idempotency-key')).not.toBe('order-1042');
    expect(JSON.parse(seen[1]?.body ?? '')).toEqual(pix);
  });

  test('payments.boleto returns bytes with their content type, whatever that type is', async () => {
    const pdf = '%PDF-1.7\nhello\n%%EOF';
    const seen = recording(
      () => new HttpResponse(pdf, { headers: { 'content-type': 'application/pdf' } }),
      () => HttpResponse.json({ url: 'https://a.example/b.pdf' }),
      () => new HttpResponse('<html></html>', { headers: { 'content-type': 'text/html' } }),
    );
    const client = platform({ maxRetries: 0 });
    const file = await client.payments.boleto(paid.id);
    expect(file.contentType).toBe('application/pdf');
    expect(new TextDecoder().decode(file.bytes)).toBe(pdf);
    expect(seen[0]).toMatchObject({
      url: `${baseUrl}/v1/payments/${paid.id}/boleto`,
      method: 'GET',
      body: '',
    });
    expect(seen[0]?.headers.get('content-type')).toBeNull();
    expect(seen[0]?.headers.get('x-idempotency-key')).toBeNull();
    const json = await client.payments.boleto(paid.id);
    expect(json.contentType).toContain('application/json');
    expect(JSON.parse(new TextDecoder().decode(json.bytes))).toEqual({ url: 'https://a.example/b.pdf' });
    expect(responseOf(json).status).toBe(200);
    expect(await client.payments.boleto(paid.id)).toMatchObject({ contentType: 'text/html' });
  });

  test('platform.webhooks creates and lists endpoints, and rejects invalid ones', async () => {
    const endpoint = {
      id: paid.id,
      endpoint: 'https://shop.example/h',
      status: 'active',
      created_at: paid.createdAt,
      events: [],
      hmac_configured: true,
    };
    const seen = recording(
      () => HttpResponse.json(endpoint, { status: 201 }),
      () => HttpResponse.json({ data: [endpoint] }),
    );
    const drift = vi.fn();
    const client = platform({ hooks: { onDrift: drift } });
    const webhook = {
      webhook_url: 'https://shop.example/h',
      events: ['transaction.paid' as const],
      hmac_secret: 'whsec_0123456789abcdef',
    };
    await expect(client.webhooks.create(webhook)).resolves.toEqual(endpoint);
    await expect(client.webhooks.list()).resolves.toEqual({ data: [endpoint] });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(webhook);
    expect(seen.map(({ url }) => url)).toEqual([`${baseUrl}/v1/webhooks`, `${baseUrl}/v1/webhooks`]);
    expect(drift).not.toHaveBeenCalled();
    for (const wrong of [
      { ...webhook, webhook_url: 'http://shop.example/h' },
      { ...webhook, webhook_url: 'http://localhost:80@shop.example/h' },
      { ...webhook, webhook_url: 'shop.example' },
      { ...webhook, hmac_secret: 'short' },
      { ...webhook, hmac_secret: 'x'.repeat(257) },
      { ...webhook, events: 'transaction.paid' },
    ]) {
      expect(await catchError(client.webhooks.create(wrong as typeof webhook))).toMatchObject({
        name: 'ValidationError',
        attempts: 0,
      });
    }
    expect(seen).toHaveLength(2);
  });

  describe('platform.request', () => {
    test('calls an endpoint that has no method in the SDK, with the same credentials', async () => {
      const seen = recording(() => HttpResponse.json({ data: [1] }));
      const query = { type: 'apple_pay_payment_processing', tag: ['a', 'b c'], page: 2, none: undefined };
      const result = await platform().request<{ data: number[] }>({
        method: 'GET',
        path: '/v1/certificates',
        query,
      });
      expect(result.data).toEqual([1]);
      expect(seen[0]?.url).toBe(
        `${baseUrl}/v1/certificates?type=apple_pay_payment_processing&tag=a&tag=b+c&page=2`,
      );
      expect(seen[0]?.headers.get('client-secret')).toBe(credentials.clientSecret);
    });

    test('returns an array, a file, an empty object or the type in the caller’s schema', async () => {
      recording(
        () => HttpResponse.json([1, 2]),
        () => new HttpResponse('bytes', { headers: { 'content-type': 'text/csv' } }),
        () => new HttpResponse(null, { status: 204 }),
        () => HttpResponse.json({ fee: 'two' }),
        () => new HttpResponse(null, { status: 200 }),
      );
      const drift = vi.fn();
      const client = platform({ hooks: { onDrift: drift }, maxRetries: 0 });
      await expect(client.request({ method: 'GET', path: '/a' })).resolves.toEqual([1, 2]);
      await expect(client.request({ method: 'GET', path: '/a', response: 'file' })).resolves.toMatchObject({
        contentType: 'text/csv',
      });
      await expect(
        client.request({ method: 'PUT', path: '/a', body: { fee: 2 }, response: 'none' }),
      ).resolves.toEqual({});
      await expect(
        client.request({ method: 'GET', path: '/a', response: z.object({ fee: z.number() }) }),
      ).resolves.toEqual({ fee: 'two' });
      expect(drift).toHaveBeenCalledTimes(1);
      expect(await catchError(client.request({ method: 'GET', path: '/a' }))).toMatchObject({
        name: 'UnreadableResponseError',
      });
    });

    test('sends the body unchanged, and sends an idempotency key only if the caller sets one', async () => {
      const seen = recording(() => HttpResponse.json({}));
      await platform().request({ method: 'PATCH', path: '/v1/submerchants/fees', body: { fees: [1] } });
      await platform().request({ method: 'POST', path: '/v1/x' }, { idempotencyKey: 'k' });
      expect(seen[0]?.body).toBe('{"fees":[1]}');
      expect(seen[0]?.headers.get('x-idempotency-key')).toBeNull();
      expect(seen[1]).toMatchObject({ body: '' });
      expect(seen[1]?.headers.get('x-idempotency-key')).toBe('k');
    });
  });

  test('platform.request returns the result even if the caller’s response schema throws', async () => {
    const seen = recording(() => HttpResponse.json({ id: 1 }));
    const schema = {
      safeParse: () => {
        throw new Error('asynchronous refinement');
      },
    };
    const client = platform({ hooks: { onDrift: () => undefined } });
    await expect(client.request({ method: 'GET', path: '/a', response: schema })).resolves.toEqual({ id: 1 });
    expect(seen).toHaveLength(1);
  });

  test('an empty response to a HEAD or a DELETE is returned as an empty object', async () => {
    const seen = recording(() => new HttpResponse(null, { status: 204 }));
    const client = platform();
    await expect(client.request({ method: 'HEAD', path: '/a' })).resolves.toEqual({});
    await expect(client.request({ method: 'DELETE', path: '/a' })).resolves.toEqual({});
    expect(seen).toHaveLength(2);
  });

  test('hooks can be the methods of a class instance', async () => {
    recording();
    class Log {
      lines: string[] = [];
      onRequest({ operation }: { operation: string }) {
        this.lines.push(operation);
      }
    }
    const log = new Log();
    class Hooks extends Log {}
    const hooks = new Hooks();
    await platform({ hooks: { onRequest: log.onRequest.bind(log) } }).payments.create(pix);
    await platform({ hooks: Object.assign(Object.create(hooks), {}) }).payments.create(pix);
    expect([log.lines, hooks.lines]).toEqual([['payments.create'], ['payments.create']]);
  });

  test('150 simultaneous calls send 150 different idempotency keys', async () => {
    recording(async () => {
      await delay(1);
      return HttpResponse.json(paid);
    });
    const client = platform();
    const payments = await Promise.all(Array.from({ length: 150 }, () => client.payments.create(pix)));
    expect(new Set(payments.map((payment) => responseOf(payment).idempotencyKey)).size).toBe(150);
  });

  test('an upload can be tested with msw, including its retry', async () => {
    const forms: FormData[] = [];
    network.use(
      http.post(`${baseUrl}/v2/submerchants/onboarding/pf`, async ({ request }) => {
        forms.push(await request.formData());
        return forms.length === 1
          ? new HttpResponse(null, { status: 503 })
          : HttpResponse.json(registration, { status: 202 });
      }),
    );
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const large = new Uint8Array(1_000_000).fill(7);
    const progress: unknown[] = [];
    const result = await platform().onboarding.submitPf(
      { ...pf, selfie: large },
      { onUploadProgress: ({ sent }) => progress.push(sent) },
    );
    expect(result).toEqual(registration);
    expect(forms).toHaveLength(2);
    for (const form of forms) {
      expect(form.get('fullName')).toBe(pf.fullName);
      expect((form.get('selfie') as File).size).toBe(large.length);
    }
    expect(progress.length).toBeGreaterThan(1);
  });

  test('a client’s method works if it is passed as a callback', async () => {
    recording();
    const client = platform();
    const results = await Promise.all([pix, openCard].map((payment) => client.payments.create(payment)));
    expect(results).toEqual([paid, paid]);
  });
});

test('responseOf rejects a value that is not a call’s result', () => {
  for (const value of [undefined, null, 7, {}, { ...paid }])
    expect(() => responseOf(value)).toThrow(/the object that a call returned/);
});

test('a client still works after close', async () => {
  recording();
  const client = new PaymentPlatform({ baseUrl, ...credentials });
  client.close();
  await expect(client.payments.create(pix)).resolves.toEqual(paid);
  client.close();
});

test('the exported version equals the version in package.json', () => {
  expect(version).toBe(manifest.version);
});
