import { describe, expect, test } from 'vitest';
import {
  classifyFailure,
  classifyStatus,
  classifyStop,
  classifyUnsendable,
} from '../../../src/transport/response/classify-failure.js';
import { type FailureKind, HttpClientError } from '../../../src/transport/send/http-client.js';

const subject = { repeatedKeyGets: 'current-state' } as const;

/** Selects the fields to compare: the retry rule, the outcome and the error's class. */
const essence = ({ retry, outcome, error }: ReturnType<typeof classifyStatus>) => [
  retry,
  outcome,
  error.name,
];

test('a request that cannot be sent is not retried, and its error states the cause', () => {
  expect(classifyUnsendable(new TypeError('x'))).toMatchObject({
    retry: 'never',
    outcome: 'not-executed',
    tellsCause: true,
    summary: 'nothing was sent, because the request could not be sent (TypeError)',
  });
});

describe('classifyStatus', () => {
  const rows: [number[], again: string, outcome: string, error: string][] = [
    [[100, 101, 199], 'if-repeatable', 'unknown', 'UnreadableResponseError'],
    [[300, 301, 302, 307, 399], 'never', 'unknown', 'ApiError'],
    [[400], 'never', 'not-executed', 'BadRequestError'],
    [[401], 'never', 'not-executed', 'AuthenticationError'],
    [[403], 'never', 'not-executed', 'PermissionError'],
    [[404], 'never', 'not-executed', 'NotFoundError'],
    [[405, 410, 411, 413, 414, 415, 421, 422, 426, 428, 431], 'never', 'not-executed', 'ApiError'],
    [[407], 'never', 'not-executed', 'ConnectionError'],
    [[408, 425], 'if-repeatable', 'unknown', 'ApiError'],
    [[409], 'never', 'unknown', 'PaymentOutcomeUnknownError'],
    [[429], 'always', 'not-executed', 'RateLimitError'],
    [[402, 406, 412, 416, 417, 418, 423, 424, 451, 499], 'never', 'unknown', 'ApiError'],
    [[500, 502, 503, 504], 'if-repeatable', 'unknown', 'ServerError'],
    [[501, 505, 507, 599, 999], 'never', 'unknown', 'ServerError'],
  ];
  const each = rows.flatMap(([statuses, ...meaning]) => statuses.map((status) => [status, meaning] as const));
  test.each(each)('classifies %i as %j', (status, meaning) => {
    expect(essence(classifyStatus(status, subject))).toEqual(meaning);
    expect(classifyStatus(status, subject).summary).toContain(String(status));
  });

  test('calls only a status that redirects a redirect, and names the option baseUrl', () => {
    for (const status of [301, 302, 303, 307, 308])
      expect(classifyStatus(status, subject).summary).toMatch(/redirect .*does not follow.*baseUrl/);
    for (const status of [300, 304, 399, 402])
      expect(classifyStatus(status, subject).summary).not.toContain('redirect');
  });

  test('classifies a 409 by the operation’s rule for a repeated idempotency key', () => {
    expect(essence(classifyStatus(409, { ...subject, repeatedKeyGets: 'first-response' }))).toEqual([
      'never',
      'not-executed',
      'IdempotencyConflictError',
    ]);
    expect(essence(classifyStatus(409, {}))).toEqual(['never', 'unknown', 'ApiError']);
    const repeated = classifyStatus(409, { ...subject, repeatedKeyGets: 'first-response' }, true);
    expect(essence(repeated)).toEqual(['never', 'unknown', 'IdempotencyConflictError']);
  });

  test('describes a 403 and a 404 by the errors that the API docs list for the operation', () => {
    const summarize = (status: number, operation: object) => classifyStatus(status, operation).summary;
    expect(summarize(403, {})).toBe('the platform does not allow it (403)');
    expect(summarize(403, { errors: { 403: 'x' } })).toBe(
      'the feature is not enabled for this merchant (403)',
    );
    expect(summarize(404, {})).toBe('not found (404)');
    expect(summarize(404, { errors: { 404: 'x' }, hintIfNotFound: 'look there' })).toBe(
      'not found, or it belongs to another account (404). look there',
    );
  });
});

describe('classifyFailure', () => {
  const of = (kind: FailureKind, sent: boolean, details: object = {}, stop?: 'timeout' | 'aborted') =>
    classifyFailure(new HttpClientError(kind, 'it failed', sent, details), stop, 'platform.example', 30_000);

  const rows: [FailureKind, sent: boolean, details: object, string, string, string][] = [
    ['unsendable', false, {}, 'never', 'not-executed', 'ConfigurationError'],
    ['connect', false, {}, 'always', 'not-executed', 'ConnectionError'],
    ['certificate', false, {}, 'never', 'not-executed', 'ConnectionError'],
    ['proxy', false, {}, 'never', 'not-executed', 'ConnectionError'],
    ['broken', false, {}, 'always', 'not-executed', 'ConnectionError'],
    ['broken', true, {}, 'if-repeatable', 'unknown', 'ConnectionError'],
    ['file', false, {}, 'always', 'not-executed', 'ConnectionError'],
    ['file', true, {}, 'if-repeatable', 'unknown', 'ConnectionError'],
    ['file', false, { permanent: true }, 'never', 'not-executed', 'ConnectionError'],
    ['file', true, { permanent: true }, 'never', 'unknown', 'ConnectionError'],
    ['unreadable', true, {}, 'if-repeatable', 'unknown', 'UnreadableResponseError'],
    ['too-large', true, {}, 'never', 'unknown', 'UnreadableResponseError'],
    ['interrupted', false, {}, 'never', 'not-executed', 'TimeoutError'],
    ['interrupted', true, {}, 'never', 'unknown', 'TimeoutError'],
  ];
  test.each(rows)(
    'classifies the failure %s (request sent: %s, details: %j)',
    (kind, sent, details, ...meaning) => {
      expect(essence(of(kind, sent, details))).toEqual(meaning);
    },
  );

  test('states the kind of failure, and the host that was not reached', () => {
    for (const kind of ['broken', 'file', 'unreadable', 'too-large'] as const)
      expect(of(kind, true).summary).toBe('it failed');
    for (const kind of ['connect', 'certificate', 'proxy'] as const)
      expect(of(kind, false).summary).toBe('it failed; platform.example was not reached');
    const cause = new TypeError('no such module');
    expect(of('unsendable', false, { cause }).summary).toContain('(TypeError)');
  });

  test('classifies an interruption as a timeout or as an abort by the caller', () => {
    expect(essence(of('interrupted', true, {}, 'timeout'))).toEqual(['never', 'unknown', 'TimeoutError']);
    expect(essence(of('interrupted', true, {}, 'aborted'))).toEqual(['never', 'unknown', 'AbortedError']);
  });
});

test('classifyStop states the timeout, and the file that the call was waiting for', () => {
  expect(essence(classifyStop('timeout', 'not-executed', 30_000))).toEqual([
    'never',
    'not-executed',
    'TimeoutError',
  ]);
  expect(essence(classifyStop('aborted', 'unknown', 30_000))).toEqual(['never', 'unknown', 'AbortedError']);
  expect(classifyStop('timeout', 'unknown', 99).summary).toContain('(99 ms; timeout is in milliseconds)');
  expect(classifyStop('timeout', 'unknown', 100).summary).toContain('(100 ms)');
  for (const stop of ['timeout', 'aborted'] as const) {
    expect(classifyStop(stop, 'unknown', 30_000).summary).not.toContain('while');
    expect(classifyStop(stop, 'unknown', 30_000, 'contract.pdf').summary).toContain(
      'the first bytes of contract.pdf',
    );
  }
});
