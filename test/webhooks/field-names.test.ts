import { verify } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { assumptions } from '../../src/contract/assumptions.js';
import { notificationShape } from '../../src/contract/generated/shapes.js';
import { assumedFields, documentedFields, fieldKey } from '../../src/webhooks/options.js';
import { delivered, secret } from './receiver/deliveries.js';

const read = (payload: object, fieldNames: object) => verify(delivered(payload), { secret, fieldNames });

test('the names are those of the contract', () => {
  const fields = Object.entries(notificationShape.fields);
  const named = (isAssumed: boolean) =>
    fields.flatMap(([name, field]) => ((field.key !== undefined) === isAssumed ? [name] : []));
  expect([...assumedFields].sort()).toEqual(named(true).sort());
  expect([...documentedFields].sort()).toEqual(named(false).sort());
  expect(Object.keys(assumptions).filter((key) => !fieldKey.test(key))).toEqual([]);
});

describe.each(assumedFields)('%s', (property) => {
  const key = `payment.${property}`;

  test.each<[string, unknown, object]>([
    ['a name', 'motivo', { motivo: 1 }],
    ['a path', 'data.motivo', { data: { motivo: 1 } }],
    ['an object', { request: 'x', notification: 'data.motivo' }, { data: { motivo: 1 } }],
  ])('is read by %s', (_, name, payload) => {
    const event = read({ event: 'x', [property]: 'not this one', ...payload }, { [key]: name });
    expect(event).toEqual({
      event: 'x',
      [property]: 1,
      ...('data' in payload && { data: { motivo: 1 } }),
    });
  });

  test('is left as it is where the name is not there, or is told of another place', () => {
    const payload = { event: 'x', [property]: 1 };
    expect(read(payload, { [key]: 'motivo' })).toEqual(payload);
    expect(read({ ...payload, motivo: 2 }, { [key]: { response: 'motivo' } })).toEqual({
      ...payload,
      motivo: 2,
    });
  });

  test.each(documentedFields)('cannot be %s, which the API document states', (name) => {
    expect(() => read({ event: 'x' }, { [key]: name })).toThrow(`fieldNames.${key} cannot be ${name}`);
  });

  test.each(['', 'a..b', '.a', 7, null, ['a'], { notification: 7 }])('%j is no name', (name) => {
    expect(() => read({ event: 'x' }, { [key]: name })).toThrow(`fieldNames.${key} must be a plain name`);
  });
});

test('two names can trade places, and cannot be the same', () => {
  const swapped = { 'payment.split': 'subMerchant', 'payment.subMerchant': 'split' };
  expect(read({ event: 'x', split: 1, subMerchant: 2 }, swapped)).toEqual({
    event: 'x',
    split: 2,
    subMerchant: 1,
  });
  for (const same of [
    { 'payment.split': 'a', 'payment.subMerchant': 'a' },
    { 'payment.split': 'subMerchant' },
  ])
    expect(() => read({ event: 'x' }, same)).toThrow(/cannot be/);
});

test('the names of the client are accepted, and a misspelt one is refused', () => {
  const all = Object.fromEntries(Object.keys(assumptions).map((key) => [key, undefined]));
  expect(read({ event: 'x' }, { ...all, 'oauth.access_token': 'data.token' })).toEqual({ event: 'x' });
  for (const key of ['payment.splt', 'payment.refusalreason', 'split', 'payments.split', 'payment.event'])
    expect(() => read({ event: 'x' }, { [key]: 'a' })).toThrow(`fieldNames.${key} is an unknown key`);
});

test('a key that ends as one of a payment does, in another namespace, moves nothing', () => {
  const payload = { event: 'x', motivo: 1, split: 2 };
  expect(read(payload, { 'oauth.xxsplit': 'motivo' })).toEqual(payload);
});

test.each([
  [{ 'payment.split': { notifcation: 'x' } }],
  [{ 'payment.split': { request: null } }],
  [{ 'payment.split': { notification: 'a..b' } }],
])('%j names a place or a name that there is not', (fieldNames) => {
  const delivery = { body: '{}', headers: {} };
  expect(() => verify(delivery, { secret: 'a-secret-of-16-characters', fieldNames } as never)).toThrow(
    /payment.split must be a plain name/,
  );
});
