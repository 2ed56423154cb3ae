import { describe, expect, test } from 'vitest';
import {
  shownAnswerHeaders,
  shownRequestHeaders,
  shownRequestId,
} from '../../../src/transport/redact/headers.js';
import { ShownText } from '../../../src/transport/redact/shown-text.js';

const shown = new ShownText({
  shown: [],
  secrets: ['topsecret'],
  body: { customer: { name: 'Json Souza' }, card: { cvv: '737' } },
});
const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe('the headers of a request', () => {
  test('its own as they are, the caller’s by name', () => {
    const headers = {
      accept: 'application/pdf',
      'user-agent': 'payment-platform/1',
      'x-idempotency-key': 'order-topsecret',
      'client-id': 'merchant-1',
      'client-secret': 'topsecret',
      authorization: 'Bearer x',
      'x-shop': 'a',
      traceparent: trace,
    };
    expect(shownRequestHeaders(headers, shown)).toEqual({
      ...headers,
      'client-secret': '[redacted]',
      authorization: '[redacted]',
      'x-shop': '[redacted]',
    });
  });
});

describe('the trace of a request', () => {
  test('is shown in its own form alone', () => {
    const shownTrace = (traceparent: string) => shownRequestHeaders({ traceparent }, shown).traceparent;
    expect(shownTrace(trace)).toBe(trace);
    for (const other of [`7${trace}`, `${trace}7`, trace.replace('a', 'z'), trace.replace('b', 'z')])
      expect(shownTrace(other)).toBe('[redacted]');
  });
});

describe('the headers of an answer', () => {
  test('a value is shown if it has the form of its header', () => {
    const rows: [name: string, value: string, isShown: boolean][] = [
      ['content-type', 'application/pdf; charset=utf-8', true],
      ['connection', 'keep-alive', true],
      ['content-type', 'application/pdf', true],
      // A word that the call sent as the name of a person.
      ['content-type', 'application/json', false],
      ['content-length', '1024', true],
      ['content-length', '4111111111111111', false],
      ['date', 'Tue, 03 Mar 2026 10:00:00 GMT', true],
      ['date', 'Tue, topsecret', false],
      ['cache-control', `${'private,'.repeat(249)}requests`, true],
      ['cache-control', `${'private,'.repeat(249)}merchants`, false],
      ['retry-after', '120', true],
      ['retry-after', 'Tue, 03 Mar 2026 10:00:00 GMT', true],
      ['retry-after', 'ask Ana', false],
      ['date', 'The Tue, 03 Mar 2026 10:00:00 GMT', false],
      ['date', 'Tue, 03 Mar 2026 10:00:00 GMT 7', false],
      // A number that the call sent, such as a CVV.
      ['content-length', '737', false],
      ['retry-after', '60', true],
      ['retry-after', 'soon topsecret', false],
      ['x-ratelimit-limit', '10', true],
      ['x-ratelimit-limit', 'x10', false],
      ['server', 'payment', false],
      ['location', 'https://files.example', false],
    ];
    for (const [name, value, isShown] of rows)
      expect([name, shownAnswerHeaders({ [name]: value }, 'x-request-id', shown)]).toEqual([
        name,
        { [name]: isShown ? value : '[redacted]' },
      ]);
  });

  test('a header whose name is made of unknown words is left out', () => {
    expect(shownAnswerHeaders({ 'x-topsecret-x': 'b', 'qw5h-x': '1' }, 'x-request-id', shown)).toEqual({});
  });

  test('the id of the request has a header of its own', () => {
    expect(shownAnswerHeaders({ 'x-request-id': id }, 'x-request-id', shown)).toEqual({ 'x-request-id': id });
    expect(shownAnswerHeaders({ 'x-request-id': 'topsecret' }, 'x-request-id', shown)).toEqual({
      'x-request-id': '[redacted]',
    });
  });
});

describe('the id of a request', () => {
  test.each([
    id,
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'a'.repeat(16),
    '0f'.repeat(16),
    '42',
    'req-1',
    'request_9f8e7d6c5b4a',
  ])('%s has the form of one', (value) => expect(shownRequestId(value, shown)).toBe(value));

  test.each([
    undefined,
    '',
    'topsecret',
    '4111111111111111',
    '411111111111',
    'c2tfbGl2ZV9jYW5hcnk',
    'a'.repeat(24),
    'ana-1',
    'req-topsecret',
    'req-4111111111111111111111111',
    `${id} `,
  ])('%j is not shown', (value) => expect(shownRequestId(value, shown)).toBeUndefined());
});
