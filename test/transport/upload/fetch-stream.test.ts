import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { expect, test } from 'vitest';
import { catchError, clientOn, credentials } from '../../support/engines.js';
import { formServer } from '../../support/form-server.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
const megabyte = 1024 * 1024;

const stream = (megabytes: number) => () => {
  let left = megabytes;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(megabyte)) : controller.close()),
  });
};

test('the runtime’s fetch streams a long form, with a Content-Length if the length is known (row 74)', async () => {
  const server = opens(await formServer());
  const platform = opens(clientOn('ky', server.url));
  await platform.onboarding.submitPf({ ...pf, selfie: new Uint8Array(3 * megabyte).fill(7) });
  await platform.onboarding.submitPf({ ...pf, selfie: { content: stream(3), contentType: 'image/jpeg' } });
  await platform.onboarding.submitPf({
    ...pf,
    selfie: { content: () => new Blob([jpeg]).stream(), contentType: 'image/jpeg' },
  });
  const framing = server.received.map(({ headers, body }) => [
    Number(headers['content-length']) === body.length,
    headers['transfer-encoding'],
  ]);
  // A stream's length is unknown, but the SDK reads a short stream before sending it.
  expect(framing).toEqual([
    [true, undefined],
    [false, 'chunked'],
    [true, undefined],
  ]);
});

test('a fetch that cannot stream sends a form of up to 64 MiB from memory, and a larger form is rejected (row 74)', async () => {
  const seen: number[] = [];
  const fetch = async (_input: unknown, init?: RequestInit) => {
    const { body } = init as { readonly body: Uint8Array };
    seen.push(body.length);
    return Response.json({ registration_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', status: 'submitted' });
  };
  const platform = opens(new PaymentPlatform({ baseUrl: 'https://platform.example', ...credentials, fetch }));
  await platform.onboarding.submitPf({ ...pf, selfie: { content: stream(2), contentType: 'image/jpeg' } });
  expect(seen[0]).toBeGreaterThan(2 * megabyte);
  for (const selfie of [
    { content: stream(80), contentType: 'image/jpeg' },
    new Blob([new Uint8Array(65 * megabyte)]),
  ]) {
    const error = await catchError<PaymentPlatformError>(platform.onboarding.submitPf({ ...pf, selfie }));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 1 });
    expect(error.message).toContain('longer than 67108864 bytes, and this fetch cannot stream');
  }
  expect(seen).toHaveLength(1);
});

test('an upload from an endless stream lets timers fire, and ends at the deadline (row 74)', async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  for (const own of [fetch, globalThis.fetch]) {
    const server = opens(await formServer());
    const platform = opens(clientOn('ky', server.url, { fetch: own }));
    let fired = 0;
    const timer = setInterval(() => fired++, 10);
    const endless = () =>
      new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
    const selfie = { content: endless, contentType: 'image/jpeg' };
    const error = await catchError<PaymentPlatformError>(
      platform.onboarding.submitPf({ ...pf, selfie }, { timeout: 1_500 }),
    );
    clearInterval(timer);
    expect(error.name).toBe('TimeoutError');
    expect(fired).toBeGreaterThanOrEqual(2);
  }
});

test('a redirect of a streamed form is reported as a redirect, and not as a broken connection (rows 27 and 74)', async () => {
  const server = opens(
    await formServer((response) => response.writeHead(302, { location: 'https://elsewhere.example' }).end()),
  );
  const platform = opens(clientOn('ky', server.url));
  const selfie = new Uint8Array(2 * megabyte);
  const error = await catchError<PaymentPlatformError>(platform.onboarding.submitPf({ ...pf, selfie }));
  expect(error).toMatchObject({ name: 'ApiError', status: 302, outcome: 'unknown', attempts: 1 });
});
