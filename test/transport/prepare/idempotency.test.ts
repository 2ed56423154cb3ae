import { describe, expect, test } from 'vitest';
import { chooseKey, keyProblem } from '../../../src/transport/prepare/idempotency-key.js';

describe('keyProblem', () => {
  test.each(['k', 'order-1042', 'two words', '!~', 'a'.repeat(255), 'undefinedness', 'nullable', 'NaNa'])(
    '%j is a key',
    (key) => expect(keyProblem(key)).toBeUndefined(),
  );

  test.each([
    [undefined, 'not undefined'],
    [null, 'not null'],
    [7, 'not number'],
    [{}, 'not object'],
    ['', 'empty'],
    ['a'.repeat(256), 'at most 255 characters, has 256'],
    [' a', 'visible'],
    ['a ', 'visible'],
    [' ', 'visible'],
    ['a\tb', 'visible'],
    ['a\nb', 'visible'],
    ['\u007f', 'visible'],
    ['é', 'visible'],
    ['a\u007fb', 'visible'],
  ])('%j is none', (key, why) => expect(keyProblem(key)).toContain(why));
});

describe('fixKey', () => {
  test('the given one, whatever the operation', () => {
    for (const idempotencyKey of ['required', 'optional', 'none'] as const)
      expect(chooseKey({ idempotencyKey }, 'mine')).toBe('mine');
  });

  test('none where none is wanted, and none where the operation takes none', () => {
    expect(chooseKey({ idempotencyKey: 'optional' }, null)).toBeUndefined();
    expect(chooseKey({ idempotencyKey: 'none' }, undefined)).toBeUndefined();
  });

  test('a random one otherwise', () => {
    for (const idempotencyKey of ['required', 'optional'] as const) {
      const keys = [chooseKey({ idempotencyKey }, undefined), chooseKey({ idempotencyKey }, undefined)];
      expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(keys[0]).not.toBe(keys[1]);
    }
  });
});
