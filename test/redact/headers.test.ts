import { describe, expect, test } from 'vitest';
import { redactRequestHeaders, redactRequestId, redactResponseHeaders } from '../../src/redact/headers.js';
import { MessageRedactor } from '../../src/redact/message-redactor.js';

const redactor = new MessageRedactor({
  secrets: ['topsecret'],
  named: { customer: { name: 'Json Souza' }, card: { cvv: '737' } },
});
const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

test('a hook sees the SDK’s request headers, but not the caller’s headers or the credentials', () => {
  const headers = {
    accept: 'application/pdf',
    'user-agent': 'payment-platform/1',
    'x-idempotency-key': 'order-1042',
    'client-id': 'merchant-1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  const secret = { 'client-secret': 'topsecret', authorization: 'Bearer x', 'x-shop': 'a', cookie: 'a=b' };
  expect(redactRequestHeaders({ ...headers, ...secret })).toEqual({
    ...headers,
    ...Object.fromEntries(Object.keys(secret).map((name) => [name, '[redacted]'])),
  });
});

describe('a response header that a hook receives', () => {
  const shown = (name: string, value: string) =>
    redactResponseHeaders({ [name]: value }, 'x-request-id', redactor)[name];

  test.each([
    ['content-type', 'application/pdf; charset=utf-8'],
    ['x-request-id', '0f'.repeat(16)],
    ['x-keyboard', 'br'],
    ['date', 'Tue, 03 Mar 2026 10:00:00 GMT'],
    ['server', 'nginx/1.25.3'],
    ['retry-after', '120'],
    ['x-ratelimit-limit', '10'],
    ['location', 'https://files.example/a?b=c'],
    ['x-request-id', id],
  ])('is shown in full if it is %s: %s', (name, value) => expect(shown(name, value)).toBe(value));

  test.each([
    ['x-echo', 'Json Souza'],
    ['content-length', '737'],
    ['set-cookie', 'session=1'],
    ['x-auth-info', 'a'],
    ['x-request-id', 'topsecret'],
    ['x-echo', '4111 1111 1111 1111'],
  ])('is hidden if it is %s: %s', (name, value) => expect(shown(name, value)).toBe('[redacted]'));

  test('is shown with only the secret in its value hidden', () => {
    expect(shown('x-echo', 'a topsecret value')).toBe('a [redacted] value');
  });
});

test('a hook receives no response header whose name contains a confidential value', () => {
  const headers = { 'x-topsecret': '1', 'x-json-souza': '1', 'x-shop': '1' };
  expect(redactResponseHeaders(headers, 'x-request-id', redactor)).toEqual({ 'x-shop': '1' });
});

test('a hook receives the request id only if the id contains no confidential value', () => {
  expect(redactRequestId(id, redactor)).toBe(id);
  expect(redactRequestId('0f'.repeat(16), redactor)).toBe('0f'.repeat(16));
  for (const value of [undefined, 'topsecret', '4111111111111111', `a\u0000${id}`])
    expect(redactRequestId(value, redactor)).toBeUndefined();
});
