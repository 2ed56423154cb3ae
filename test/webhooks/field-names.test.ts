import { verify } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { notificationShape } from '../../src/contract/generated/shapes.js';
import { assumptions } from '../../src/contract/overrides.js';
import { assumedFields } from '../../src/webhooks/options.js';
import { delivered, secret } from './receiver/deliveries.js';

const read = (payload: object, fieldNames: object) => verify(delivered(payload), { secret, fieldNames });

test('the list of assumed notification fields matches the contract', () => {
  const fields = Object.entries(notificationShape.fields);
  const assumed = fields.flatMap(([name, { key }]) => (key === undefined ? [] : [name]));
  expect([...assumedFields].sort()).toEqual(assumed.sort());
});

describe.each(assumedFields)('the assumed notification field %s', (property) => {
  const key = `payment.${property}`;

  test.each<[string, unknown, object]>([
    ['a name', 'motivo', { motivo: 1 }],
    ['a path', 'data.motivo', { data: { motivo: 1 } }],
    ['an object', { request: 'x', notification: 'data.motivo' }, { data: { motivo: 1 } }],
  ])('is read under the name that fieldNames gives it, here %s', (_, name, payload) => {
    const event = read({ event: 'x', [property]: 'not this one', ...payload }, { [key]: name });
    expect(event).toEqual({
      event: 'x',
      [property]: 1,
      ...('data' in payload && { data: { motivo: 1 } }),
    });
  });

  test('stays unchanged if the payload lacks its new name, or if fieldNames renames it only in responses', () => {
    const payload = { event: 'x', [property]: 1 };
    expect(read(payload, { [key]: 'motivo' })).toEqual(payload);
    expect(read({ ...payload, motivo: 2 }, { [key]: { response: 'motivo' } })).toEqual({
      ...payload,
      motivo: 2,
    });
  });

  test.each(['', 7, ['a'], { notification: 7 }])('cannot get the name %j in fieldNames', (name) => {
    expect(() => read({ event: 'x' }, { [key]: name })).toThrow(`fieldNames.${key} must be a name`);
  });
});

test('fieldNames can swap the names of two notification fields', () => {
  const swapped = { 'payment.split': 'subMerchant', 'payment.subMerchant': 'split' };
  expect(read({ event: 'x', split: 1, subMerchant: 2 }, swapped)).toEqual({
    event: 'x',
    split: 2,
    subMerchant: 1,
  });
});

test('verify accepts the client’s whole fieldNames object, and rejects a key without a prefix', () => {
  const all = Object.fromEntries(Object.keys(assumptions).map((key) => [key, undefined]));
  expect(read({ event: 'x' }, { ...all, 'oauth.access_token': 'data.token' })).toEqual({ event: 'x' });
  expect(() => read({ event: 'x' }, { split: 'a' })).toThrow('fieldNames has keys such as payment.split');
});

test('verify ignores an unknown fieldNames key with another prefix, such as oauth.xxsplit', () => {
  const payload = { event: 'x', motivo: 1, split: 2 };
  expect(read(payload, { 'oauth.xxsplit': 'motivo' })).toEqual(payload);
});
