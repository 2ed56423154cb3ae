import { describe, expect, test } from 'vitest';
import { redactHeaders, secretHeaderValues, shownRequestId } from '../../../src/transport/redact/headers.js';
import { Scrubber } from '../../../src/transport/redact/scrubber.js';

const scrubber = new Scrubber(['topsecret']);

describe('secretHeaderValues', () => {
  test('values of eight characters or more, where the name is not known to be harmless', () => {
    expect(
      secretHeaderValues({
        accept: 'application/json',
        'x-idempotency-key': 'order-1042',
        'x-shop': '12345678',
        'x-short': '1234567',
      }),
    ).toEqual(['12345678']);
  });

  test('an authorization with its scheme and without', () => {
    expect(secretHeaderValues({ authorization: 'Bearer abc def' })).toEqual(['Bearer abc def', 'abc def']);
    expect(secretHeaderValues({ authorization: 'abcdefgh' })).toEqual(['abcdefgh', 'abcdefgh']);
    expect(secretHeaderValues({ authorization: ' abcd efgh' })).toEqual([' abcd efgh', ' abcd efgh']);
    expect(secretHeaderValues({ 'x-auth': 'Bearer abcdef' })).toEqual(['Bearer abcdef']);
  });
});

describe('redactHeaders', () => {
  test('shows what is harmless, and the name of the rest', () => {
    const headers = {
      accept: 'application/json',
      'x-request-id': 'req-1 topsecret',
      'x-ratelimit-left': '7',
      'my-x-ratelimit-left': '7',
      'x-shop': 'a',
      date: 'to\nday',
      'x-topsecret-x': 'b',
    };
    expect(redactHeaders(headers, 'x-request-id', scrubber)).toEqual({
      accept: 'application/json',
      'x-request-id': 'req-1 [redacted]',
      'x-ratelimit-left': '7',
      'my-x-ratelimit-left': '[redacted]',
      'x-shop': '[redacted]',
      date: 'to day',
      'x-[redacted]-x': '[redacted]',
    });
    expect(redactHeaders({ 'x-request-id': 'r' }, 'x-other', scrubber)).toEqual({
      'x-request-id': '[redacted]',
    });
  });

  test('shows the key as it was sent', () => {
    const headers = { 'x-idempotency-key': 'order-topsecret' };
    expect(redactHeaders(headers, 'x-request-id', scrubber)).toEqual(headers);
  });
});

describe('shownRequestId', () => {
  test('without secrets, in one line, of 200 characters at most', () => {
    expect(shownRequestId(undefined, scrubber)).toBeUndefined();
    expect(shownRequestId('req-1', scrubber)).toBe('req-1');
    expect(shownRequestId('topsecret\n1', scrubber)).toBe('[redacted] 1');
    expect(shownRequestId('r'.repeat(201), scrubber)).toBe('r'.repeat(200));
  });
});
