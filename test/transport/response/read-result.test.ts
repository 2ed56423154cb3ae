import { describe, expect, test } from 'vitest';
import { shapes } from '../../../src/contract/generated/shapes.js';
import { WireNames } from '../../../src/contract/wire-names.js';
import type { CallSchemas, CallSpec } from '../../../src/transport/call/call-spec.js';
import { readResult, UnreadableBodyError } from '../../../src/transport/response/read-response.js';
import type { HttpResponse } from '../../../src/transport/send/http-client.js';

const settings = {
  names: new WireNames(new Map([['payment.refusalReason', 'wire']])),
  checksOff: new Set<string>(),
};

const createResponse = (text: string, headers: Record<string, string> = {}, status = 200): HttpResponse => ({
  head: { status, header: (name) => headers[name], headers: () => headers },
  body: new TextEncoder().encode(text),
  codingProblem: undefined,
});

const read = (
  response: HttpResponse,
  spec: Partial<CallSpec>,
  shapes: CallSchemas = { query: undefined, request: undefined, response: undefined },
) => readResult(response, { spec: { method: 'POST', ...spec } as CallSpec, shapes }, settings);

const json = { 'content-type': 'application/json' };
const framed = { ...json, 'content-length': '2' };

describe('readResult for a call that expects no body', () => {
  test('returns an empty object for any body', () => {
    expect(read(createResponse('no json'), { result: 'none' })).toEqual({});
  });
});

describe('readResult for a file', () => {
  test('returns its content type', () => {
    const file = read(createResponse('a,b', { 'content-type': 'text/csv' }), { result: 'file' });
    expect(file).toMatchObject({ contentType: 'text/csv' });
  });
});

describe('readResult for JSON of any shape', () => {
  const result = 'json';
  test('returns an object or an array', () => {
    expect(read(createResponse('{"a":1}'), { result })).toEqual({ a: 1 });
    expect(read(createResponse('[1]'), { result })).toEqual([1]);
    for (const text of ['null', '7', '"a"', 'true'])
      expect(() => read(createResponse(text), { result })).toThrow(/neither an object nor a list/);
  });

  test('returns an empty object for an empty body of a 204 or a HEAD', () => {
    expect(read(createResponse('', {}, 204), { result })).toEqual({});
    expect(read(createResponse(''), { result, method: 'HEAD' })).toEqual({});
    expect(() => read(createResponse(''), { result })).toThrow(/empty/);
    expect(read(createResponse('{"a":1}', {}, 204), { result })).toEqual({ a: 1 });
    expect(read(createResponse('{"a":1}'), { result, method: 'HEAD' })).toEqual({ a: 1 });
  });
});

describe('readResult for an undocumented body', () => {
  const result = 'unspecified';
  test('returns an object or an array', () => {
    expect(read(createResponse('{"a":1}', json), { result })).toEqual({ a: 1 });
    expect(read(createResponse('[1]', json), { result })).toEqual([1]);
    expect(read(createResponse('{"a":1}'), { result })).toEqual({ a: 1 });
  });

  test('returns a bare value in the field `value`, and an empty object for an empty body', () => {
    for (const value of [true, null, 'done', '', 0.5])
      expect(read(createResponse(JSON.stringify(value), framed), { result })).toEqual({ value });
    expect(read(createResponse('', json), { result })).toEqual({});
    const text = { 'content-type': 'text/plain' };
    expect(read(createResponse('OK', { ...text, 'content-length': '2' }), { result })).toEqual({
      value: 'OK',
    });
    expect(read(createResponse('OK', text), { result })).toEqual({});
    expect(
      read(createResponse('OK', { 'content-type': 'application/pdf', 'content-length': '2' }), { result }),
    ).toEqual({});
    expect(
      read(createResponse('{"a":1}', { 'content-type': 'application/problem+JSON' }), { result }),
    ).toEqual({
      a: 1,
    });
  });

  test('rejects an HTML page, which it recognises by the content type or the first characters', () => {
    for (const type of ['text/html', 'application/XHTML+xml'])
      expect(() => read(createResponse('OK', { 'content-type': type }), { result })).toThrow(
        UnreadableBodyError,
      );
    for (const text of ['<html>', ' \n<html>', `${' '.repeat(64)}<html>`])
      expect(() => read(createResponse(text, { 'content-type': 'text/plain' }), { result })).toThrow(/HTML/);
    expect(read(createResponse('a <b>', { 'content-type': 'text/plain' }), { result })).toEqual({});
  });

  test('rejects an incomplete body', () => {
    expect(() => read(createResponse('{"a":', json), { result })).toThrow(/cut short/);
    expect(() => read(createResponse('done'), { result })).toThrow(/cut short/);
  });

  test('rejects a bare number without a Content-Length, because it could be truncated', () => {
    expect(() => read(createResponse('12', json), { result })).toThrow(/cut short/);
    expect(read(createResponse('12', framed), { result })).toEqual({ value: 12 });
    expect(read(createResponse('12', { ...json, 'transfer-encoding': 'chunked' }), { result })).toEqual({
      value: 12,
    });
    expect(read(createResponse('true', json), { result })).toEqual({ value: true });
  });
});

describe('readResult for a documented body', () => {
  const spec = { result: 'object' } as const;
  test('requires an object', () => {
    expect(read(createResponse('{"wire":1}'), spec)).toEqual({ wire: 1 });
    expect(() => read(createResponse('[1]'), spec)).toThrow(/not an object/);
    expect(() => read(createResponse(''), spec)).toThrow(/empty/);
  });

  test('returns the SDK’s field names', () => {
    expect(read(createResponse('{"wire":1}'), spec, shapes['payments.create'])).toEqual({ refusalReason: 1 });
  });
});
