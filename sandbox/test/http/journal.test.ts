import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { testCards } from '../../index.js';
import {
  call,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  startOfYear,
  unknownId,
} from '../support.js';

test('the journal lists every request with its outcome', async () => {
  const sandbox = sandboxForTest();
  const paid = await pay(sandbox, pix(), 'key');
  await sandbox.clock.advance('1m');
  await call(sandbox, '/v1/webhooks?page=2', { headers: { 'client-id': 'wrong' } });
  await call(sandbox, '/nowhere');
  sandbox.faults.add({ fault: 'reset', phase: 'after-commit' });
  await pay(sandbox, pix()).catch(() => undefined);
  expect(sandbox.journal.requests).toEqual([
    {
      number: 1,
      at: startOfYear,
      operation: 'payments.create',
      method: 'POST',
      path: '/v1/payments',
      idempotencyKey: 'key',
      paymentId: paid.body.id,
      status: 201,
      fault: undefined,
      body: pix(),
      ignored: [],
      bodyDigest: createHash('sha256').update(JSON.stringify(pix())).digest('hex'),
      response: paid.body,
    },
    expect.objectContaining({
      at: '2026-01-01T00:01:00.000Z',
      operation: 'webhooks.list',
      method: 'GET',
      path: '/v1/webhooks?page=2',
      status: 401,
      body: undefined,
      idempotencyKey: undefined,
    }),
    expect.objectContaining({ operation: undefined, path: '/nowhere', status: 404 }),
    expect.objectContaining({ operation: 'payments.create', status: undefined, fault: 'reset' }),
  ]);
});

test('the journal stores responses without their tokens, and omits long responses', async () => {
  const sandbox = sandboxForTest();
  const { clientId, clientSecret } = sandbox.clientOptions();
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  await call(sandbox, '/oauth/token', { body });
  sandbox.faults.add({ fault: { status: 503, body: { error: 'ours' } } });
  await pay(sandbox, pix());
  const items = Array.from({ length: 2_000 }, () => ({ title: 'x'.repeat(40), quantity: 1, unitPrice: 1 }));
  await pay(sandbox, pix({ items }));
  const [token, faulty, long] = sandbox.journal.requests;
  expect(token).toMatchObject({ status: 200, response: { access_token: '***', token_type: 'Bearer' } });
  expect(faulty).toMatchObject({ status: 503, response: { error: 'ours' } });
  expect(long).toMatchObject({ status: 201, response: undefined });
});

test('the journal does not store an access token under another field name', async () => {
  for (const name of ['bearer', 'data.session']) {
    const sandbox = sandboxForTest({ fieldNames: { 'oauth.access_token': name } });
    const { clientId, clientSecret } = sandbox.clientOptions();
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body: response } = await call(sandbox, '/oauth/token', { body });
    const [, token = ''] = /"(?:bearer|session)":"([^"]+)"/.exec(JSON.stringify(response)) ?? [];
    expect(token.length).toBeGreaterThan(10);
    expect(JSON.stringify(sandbox.journal.requests)).not.toContain(token);
  }
});

test('the journal’s digest of a request is computed from the exact bytes of its body', async () => {
  const sandbox = sandboxForTest();
  const text = JSON.stringify(pix());
  await pay(sandbox, text, 'a');
  await pay(sandbox, text, 'a');
  await pay(sandbox, ` ${text}`, 'a');
  const [first, same, other] = sandbox.journal.requests.map(({ bodyDigest }) => bodyDigest);
  expect(same).toBe(first);
  expect(other).not.toBe(first);
});

test('the journal’s digest of a multipart form depends on its content, but not on its boundary', async () => {
  const sandbox = sandboxForTest({ rateLimits: false });
  const { fullName, ...others } = naturalPerson;
  const forms = [
    naturalPerson,
    naturalPerson,
    { ...others, fullName },
    { ...naturalPerson, fullName: 'Ana Souza' },
    { ...naturalPerson, selfie: new Uint8Array([4, 5, 7]) },
    { ...naturalPerson, selfie: new File([new Uint8Array([4, 5, 6])], 'selfie.png', { type: 'image/jpeg' }) },
    { ...naturalPerson, selfie: new File([new Uint8Array([4, 5, 6])], 'other.png', { type: 'image/png' }) },
  ];
  for (const fields of forms) await onboard(sandbox, fields);
  const [first, ...digests] = sandbox.journal.requests.map(({ bodyDigest }) => bodyDigest);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(digests.map((digest) => digest === first)).toEqual([true, true, false, false, false, false]);
  expect(new Set(digests).size).toBe(5);
});

test('the journal hides misspelt webhook secrets, passwords in URLs and private keys', async () => {
  const sandbox = sandboxForTest();
  const webhook_url = 'https://user:canary@a.example';
  await call(sandbox, '/v1/webhooks', { body: { webhook_url, events: [], hmacSecret: 'canary' } });
  await call(sandbox, '/v1/webhooks', { body: { secret: 'canary' } });
  const key = '-----BEGIN EC PRIVATE KEY-----\ncanary\n-----END EC PRIVATE KEY-----';
  await call(sandbox, `/v1/payment-method-certificates/${unknownId}/activate`, {
    body: { certificate: key },
  });
  expect(JSON.stringify(sandbox.journal.requests)).not.toContain('canary');
  expect(sandbox.journal.requests[0]?.body).toMatchObject({ webhook_url: 'https://***@a.example' });
});

test('the journal contains no credentials, PAN, CVV or webhook secret', async () => {
  const sandbox = sandboxForTest({ clientId: 'canary-id-1', clientSecret: 'canary-secret-2' });
  const secret = 'canary-webhook-secret-3';
  await pay(sandbox, openCard(testCards.approved, { card: { ...openCard().card, cvv: 'canary-4' } }));
  await pay(
    sandbox,
    openCard(testCards.unknown, { card: { ...openCard(testCards.unknown).card, cvv: 'canary-4' } }),
    'key',
  );
  await pay(sandbox, withNumbers());
  await pay(sandbox, `{"card":{"number":"${testCards.approved}","cvv":"canary-4"`);
  await call(sandbox, '/v1/webhooks', {
    body: { webhook_url: 'https://a.example', events: [], hmac_secret: secret },
  });
  await call(sandbox, '/v1/webhooks', {
    body: { webhook_url: 'https://b.example', events: [], hmac_secret: 'tiny-canary' },
  });
  await call(sandbox, '/v1/webhooks/00000000-0000-4000-8000-000000000000', {
    method: 'PUT',
    body: { hmac_secret: secret },
  });
  await call(sandbox, '/oauth/token', { body: { client_id: 'me', client_secret: 'canary-secret-5' } });
  await call(sandbox, '/oauth/token', {
    method: 'POST',
    body: 'client_id=me&client_secret=canary-secret-6',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const shown =
    inspect(sandbox, { depth: 20, showHidden: true, customInspect: false }) +
    JSON.stringify(sandbox) +
    JSON.stringify(sandbox.journal.requests) +
    inspect(sandbox.journal.requests, { depth: 20 });
  for (const canary of ['canary', testCards.approved, testCards.unknown]) expect(shown).not.toContain(canary);
  expect(sandbox.journal.requests.map(({ body }) => body)).toMatchObject([
    { card: { number: '************1111', cvv: '***', holderName: 'MARIA SILVA' } },
    { card: { number: '************0119', cvv: '***' } },
    { card: { number: '************1111', cvv: '***' } },
    undefined as never,
    { webhook_url: 'https://a.example', hmac_secret: '***' },
    { hmac_secret: '***' },
    { hmac_secret: '***' },
    { client_id: 'me', client_secret: '***' },
    { client_id: 'me', client_secret: '***' },
  ]);

  /** Creates an order with a typical mistake, numbers instead of strings. */
  function withNumbers() {
    return openCard(testCards.approved, { card: { number: Number(testCards.approved), cvv: ['canary-4'] } });
  }
});

test('a journal entry cannot be changed', async () => {
  const sandbox = sandboxForTest();
  await call(sandbox, '/nowhere');
  const [entry] = sandbox.journal.requests;
  expect(Object.isFrozen(entry)).toBe(true);
});

test('the journal lists only the rejected requests, or those about one payment, if asked', async () => {
  const sandbox = sandboxForTest();
  const { body } = await pay(sandbox, pix(), 'key-1');
  await pay(sandbox, pix({ amount: 1 }), 'key-2');
  await pay(sandbox, pix({ amount: 2 }), 'key-3');
  await pay(sandbox, pix(), 'key-4');
  const list = (query: object) => sandbox.journal.list(query).map(({ number }) => number);
  expect(list({ rejected: true })).toEqual([2, 3]);
  expect(list({ rejected: true, limit: 1 })).toEqual([3]);
  expect(list({ rejected: true, after: 1, limit: 1 })).toEqual([2]);
  expect(list({ rejected: false })).toEqual([1, 2, 3, 4]);
  expect(list({ payment: body.id })).toEqual([1]);
  expect(list({ payment: body.id, rejected: true })).toEqual([]);
  expect(() => list({ rejected: 'yes' })).toThrow('rejected must be true or false');
});

test('the journal drops the oldest requests beyond maxJournal bytes, and counts the dropped ones', async () => {
  const sandbox = sandboxForTest({ maxJournal: 100_000 });
  const big = pix({ metadata: { text: 'x'.repeat(20_000) } });
  for (let count = 0; count < 12; count++) await pay(sandbox, big, `key-${count}`);
  const { requests, forgotten } = sandbox.journal;
  expect(forgotten).toBeGreaterThan(7);
  expect(requests.map(({ number }) => number)).toEqual(
    Array.from({ length: 12 - forgotten }, (_, index) => forgotten + index + 1),
  );
  const list = (query: object) => sandbox.journal.list(query).map(({ number }) => number);
  expect(list({ after: 1, limit: 1 })).toEqual([forgotten + 1]);
  expect(list({ after: 11 })).toEqual([12]);
  expect(list({ limit: 1 })).toEqual([12]);
  await sandbox.reset();
  expect(sandbox.journal).toMatchObject({ requests: [], forgotten: 0 });
  // The journal keeps the latest request, whatever its size.
  await pay(sandbox, pix({ metadata: { text: 'x'.repeat(200_000) } }));
  expect(list({})).toEqual([1]);
});
