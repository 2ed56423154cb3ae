import { describe, expect, test } from 'vitest';
import { shapes } from '../../../src/contract/generated/shapes.js';
import { WireNames } from '../../../src/contract/wire-names.js';
import type { CallShapes, CallSpec } from '../../../src/transport/call/call-spec.js';
import { readResult, UnreadableBodyError } from '../../../src/transport/response/read-response.js';
import type { EngineResponse } from '../../../src/transport/send/engine.js';

const names = new WireNames(new Map([['payment.refusalReason', 'wire']]));

const answered = (text: string, headers: Record<string, string> = {}, status = 200): EngineResponse => ({
  head: { status, header: (name) => headers[name], headers: () => headers },
  body: new TextEncoder().encode(text),
  codingProblem: undefined,
});

const read = (
  response: EngineResponse,
  spec: Partial<CallSpec>,
  known: CallShapes = { query: undefined, request: undefined, response: undefined },
) => readResult(response, { method: 'POST', ...spec } as CallSpec, known, names);

const json = { 'content-type': 'application/json' };
const framed = { ...json, 'content-length': '2' };

describe('an answer without a body', () => {
  test('is an empty object, whatever came', () => {
    expect(read(answered('no json'), { result: 'none' })).toEqual({});
  });
});

describe('a file', () => {
  test('with its type', () => {
    const file = read(answered('a,b', { 'content-type': 'text/csv' }), { result: 'file' });
    expect(file).toMatchObject({ contentType: 'text/csv' });
  });
});

describe('JSON of any shape', () => {
  const result = 'json';
  test('an object or a list', () => {
    expect(read(answered('{"a":1}'), { result })).toEqual({ a: 1 });
    expect(read(answered('[1]'), { result })).toEqual([1]);
    for (const text of ['null', '7', '"a"', 'true'])
      expect(() => read(answered(text), { result })).toThrow(/neither an object nor a list/);
  });

  test('nothing, where there can be nothing', () => {
    expect(read(answered('', {}, 204), { result })).toEqual({});
    expect(read(answered(''), { result, method: 'HEAD' })).toEqual({});
    expect(() => read(answered(''), { result })).toThrow(/empty/);
    expect(read(answered('{"a":1}', {}, 204), { result })).toEqual({ a: 1 });
    expect(read(answered('{"a":1}'), { result, method: 'HEAD' })).toEqual({ a: 1 });
  });
});

describe('an answer of which the document shows nothing', () => {
  const result = 'unspecified';
  test('an object or a list is the result', () => {
    expect(read(answered('{"a":1}', json), { result })).toEqual({ a: 1 });
    expect(read(answered('[1]', json), { result })).toEqual([1]);
    expect(read(answered('{"a":1}'), { result })).toEqual({ a: 1 });
  });

  test('another value is delivered as value, and nothing as an empty object', () => {
    for (const value of [true, null, 'done', '', 0.5])
      expect(read(answered(JSON.stringify(value), framed), { result })).toEqual({ value });
    expect(read(answered('', json), { result })).toEqual({});
    const text = { 'content-type': 'text/plain' };
    expect(read(answered('OK', { ...text, 'content-length': '2' }), { result })).toEqual({ value: 'OK' });
    expect(read(answered('OK', text), { result })).toEqual({});
    expect(
      read(answered('OK', { 'content-type': 'application/pdf', 'content-length': '2' }), { result }),
    ).toEqual({});
    expect(read(answered('{"a":1}', { 'content-type': 'application/problem+JSON' }), { result })).toEqual({
      a: 1,
    });
  });

  test('a page is refused, by its type or by how it begins', () => {
    for (const type of ['text/html', 'application/XHTML+xml'])
      expect(() => read(answered('OK', { 'content-type': type }), { result })).toThrow(UnreadableBodyError);
    for (const text of ['<html>', ' \n<html>'])
      expect(() => read(answered(text, { 'content-type': 'text/plain' }), { result })).toThrow(/HTML/);
    expect(read(answered('a <b>', { 'content-type': 'text/plain' }), { result })).toEqual({});
    const late = `${' '.repeat(64)}<html>`;
    expect(read(answered(late, { 'content-type': 'text/plain' }), { result })).toEqual({});
  });

  test('what is not whole is refused', () => {
    expect(() => read(answered('{"a":', json), { result })).toThrow(/cut short/);
    expect(() => read(answered('done'), { result })).toThrow(/cut short/);
  });

  test('a bare number, where nothing tells that it is whole, is refused', () => {
    expect(() => read(answered('12', json), { result })).toThrow(/cut short/);
    expect(read(answered('12', framed), { result })).toEqual({ value: 12 });
    expect(read(answered('12', { ...json, 'transfer-encoding': 'chunked' }), { result })).toEqual({
      value: 12,
    });
    expect(read(answered('true', json), { result })).toEqual({ value: true });
  });
});

describe('an answer that is documented', () => {
  const spec = { result: 'object' } as const;
  test('must be an object', () => {
    expect(read(answered('{"wire":1}'), spec)).toEqual({ wire: 1 });
    expect(() => read(answered('[1]'), spec)).toThrow(/not an object/);
    expect(() => read(answered(''), spec)).toThrow(/empty/);
  });

  test('comes under the names of the SDK', () => {
    expect(read(answered('{"wire":1}'), spec, shapes['payments.create'])).toEqual({ refusalReason: 1 });
  });
});
