import { expect, test } from 'vitest';
import { namedFields } from '../../../src/transport/report/named-fields.js';

test.each([
  [
    { error: { issues: [{ path: 'amount', message: 'x' }, { path: 'items.0.title' }] } },
    ['amount', 'items.0.title'],
  ],
  [{ errors: [{ field: 'amount' }, { field: 'amount' }, { property: 'card.cvv' }] }, ['amount', 'card.cvv']],
  [{ errors: { amount: 'is required', customer: ['is missing'] } }, ['amount', 'customer']],
  [{ errors: [{ pointer: '#/items/0' }, { loc: ['body', 'items', 0] }] }, ['#/items/0', 'body.items.0']],
  [{ 'invalid-params': [{ name: 'amount', reason: 'x' }] }, ['amount']],
  [{ error: [{ param: 'amount' }] }, ['amount']],
  [{ errors: ['amount is required'] }, []],
  [{ errors: [{ path: 'a sentence, not a path' }, { path: 7 }, { path: '' }, null, 7] }, []],
  [{ errors: { count: 7, nested: { a: 1 } } }, []],
  [{ message: 'no' }, []],
  [[{ path: 'amount' }], []],
  ['text', []],
  [undefined, []],
])('of %j: %j', (body, fields) => {
  expect(namedFields(body)).toEqual(fields);
});

test('ten of them at most', () => {
  const errors = Array.from({ length: 100_000 }, (_, index) => ({ path: `items.${index}` }));
  expect(namedFields({ errors })).toHaveLength(10);
});
