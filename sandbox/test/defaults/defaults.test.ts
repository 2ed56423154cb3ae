import { expect, test } from 'vitest';
import { defaults } from '../../index.js';

test('every sandbox default has its own topic, a description and a reason', () => {
  for (const { topic, default: behaviour, why } of defaults) {
    expect(topic).toMatch(/^[A-Za-z]/);
    expect(behaviour.length).toBeGreaterThan(10);
    expect(why).toMatch(/\.$/);
    expect(behaviour + why).not.toMatch(/\bundefined\b|\bNaN\b|\[object/);
  }
  expect(new Set(defaults.map(({ topic }) => topic)).size).toBe(defaults.length);
});

test.each(defaults.map((entry) => [entry.topic, entry] as const))(
  'the sandbox default "%s" has either an option that changes it or a reason why it is fixed',
  (_, { option, fixed }) => {
    expect([option, fixed].filter((text) => text !== undefined)).toHaveLength(1);
    if (option === undefined) expect(fixed).toMatch(/^.{15,}\.$/);
    else expect(option).toMatch(/^[a-zA-Z]+(\.[a-zA-Z]+)?$/);
  },
);

test('the list of sandbox defaults cannot be changed', () => {
  expect(Object.isFrozen(defaults)).toBe(true);
  expect(defaults.every(Object.isFrozen)).toBe(true);
});
