import { expect, test } from 'vitest';
import { choices } from '../../index.js';

test('every choice has its own topic, a description and a reason', () => {
  for (const { topic, choice, why } of choices) {
    expect(topic).toMatch(/^[A-Za-z]/);
    expect(choice.length).toBeGreaterThan(10);
    expect(why).toMatch(/\.$/);
    expect(choice + why).not.toMatch(/\bundefined\b|\bNaN\b|\[object/);
  }
  expect(new Set(choices.map(({ topic }) => topic)).size).toBe(choices.length);
});

test.each(choices.map((choice) => [choice.topic, choice] as const))(
  'the choice "%s" names its option, or the reason for having none',
  (_, { option, fixed }) => {
    expect([option, fixed].filter((text) => text !== undefined)).toHaveLength(1);
    if (option === undefined) expect(fixed).toMatch(/^.{15,}\.$/);
    else expect(option).toMatch(/^[a-zA-Z]+(\.[a-zA-Z]+)?$/);
  },
);

test('the list of choices cannot be changed', () => {
  expect(Object.isFrozen(choices)).toBe(true);
  expect(choices.every(Object.isFrozen)).toBe(true);
});
