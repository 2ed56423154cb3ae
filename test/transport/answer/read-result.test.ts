import { describe, expect, test } from 'vitest';
import { CreatePaymentSchema } from '../../../src/contract/payment-request.js';
import { Unreadable } from '../../../src/transport/answer/read-body.js';
import { dataOf } from '../../../src/transport/answer/read-result.js';
import type { WireNames } from '../../../src/transport/field-names.js';
import type { Trip } from '../../../src/transport/prepare/prepare-call.js';
import type { EngineResponse } from '../../../src/transport/send/engine.js';

const wireNames = {
  requestIdHeader: 'x-request-id',
  groups: { payment: { inward: [['wire', 'own']], outward: [] } },
} as unknown as WireNames;

const answered = (text: string, headers: Record<string, string> = {}, status = 200): EngineResponse => ({
  head: { status, header: (name) => headers[name], headers: () => headers },
  body: new TextEncoder().encode(text),
});

const read = (response: EngineResponse, trip: Partial<Trip>) =>
  dataOf(response, { method: 'POST', ...trip } as Trip, wireNames);

const json = { 'content-type': 'application/json' };
const framed = { ...json, 'content-length': '2' };

describe('an answer without a body', () => {
  test('is an empty object, whatever came', () => {
    expect(read(answered('no json'), { response: 'none' })).toEqual({});
  });
});

describe('a file', () => {
  test('with its type', () => {
    const file = read(answered('a,b', { 'content-type': 'text/csv' }), { response: 'file' });
    expect(file).toMatchObject({ contentType: 'text/csv' });
  });
});

describe('JSON of any shape', () => {
  const response = 'json';
  test('an object or a list', () => {
    expect(read(answered('{"a":1}'), { response })).toEqual({ a: 1 });
    expect(read(answered('[1]'), { response })).toEqual([1]);
    for (const text of ['null', '7', '"a"', 'true'])
      expect(() => read(answered(text), { response })).toThrow(/neither an object nor a list/);
  });

  test('nothing, where there can be nothing', () => {
    expect(read(answered('', {}, 204), { response })).toEqual({});
    expect(read(answered(''), { response, method: 'HEAD' })).toEqual({});
    expect(() => read(answered(''), { response })).toThrow(/empty/);
    expect(read(answered('{"a":1}', {}, 204), { response })).toEqual({ a: 1 });
    expect(read(answered('{"a":1}'), { response, method: 'HEAD' })).toEqual({ a: 1 });
  });
});

describe('an answer of which the document shows nothing', () => {
  const response = 'unspecified';
  test('an object or a list is the result', () => {
    expect(read(answered('{"a":1}', json), { response })).toEqual({ a: 1 });
    expect(read(answered('[1]', json), { response })).toEqual([1]);
    expect(read(answered('{"a":1}'), { response })).toEqual({ a: 1 });
  });

  test('anything else is an empty one', () => {
    for (const text of ['', 'true', 'null', '"done"'])
      expect(read(answered(text, json), { response })).toEqual({});
    expect(read(answered('OK', { 'content-type': 'text/plain' }), { response })).toEqual({});
    expect(read(answered('{"a":1}', { 'content-type': 'text/plain' }), { response })).toEqual({});
    expect(read(answered('{"a":1}', { 'content-type': 'application/problem+JSON' }), { response })).toEqual({
      a: 1,
    });
  });

  test('a page is refused, by its type or by how it begins', () => {
    for (const type of ['text/html', 'application/XHTML+xml'])
      expect(() => read(answered('OK', { 'content-type': type }), { response })).toThrow(Unreadable);
    for (const text of ['<html>', ' \n<html>'])
      expect(() => read(answered(text, { 'content-type': 'text/plain' }), { response })).toThrow(/HTML/);
    expect(read(answered('a <b>', { 'content-type': 'text/plain' }), { response })).toEqual({});
    const late = `${' '.repeat(64)}<html>`;
    expect(read(answered(late, { 'content-type': 'text/plain' }), { response })).toEqual({});
  });

  test('what is not whole is refused', () => {
    expect(() => read(answered('{"a":', json), { response })).toThrow(/cut short/);
    expect(() => read(answered('done'), { response })).toThrow(/cut short/);
  });

  test('a bare number, where nothing tells that it is whole, is refused', () => {
    expect(() => read(answered('12', json), { response })).toThrow(/cut short/);
    expect(read(answered('12', framed), { response })).toEqual({});
    expect(read(answered('12', { ...json, 'transfer-encoding': 'chunked' }), { response })).toEqual({});
    expect(read(answered('true', json), { response })).toEqual({});
  });
});

describe('an answer that the document shows', () => {
  const trip = { response: CreatePaymentSchema };
  test('must be an object', () => {
    expect(read(answered('{"wire":1}'), trip)).toEqual({ wire: 1 });
    expect(() => read(answered('[1]'), trip)).toThrow(/not an object/);
    expect(() => read(answered(''), trip)).toThrow(/empty/);
  });

  test('comes under the names of the SDK', () => {
    expect(read(answered('{"wire":1}'), { ...trip, names: 'payment' as never })).toEqual({ own: 1 });
  });
});
