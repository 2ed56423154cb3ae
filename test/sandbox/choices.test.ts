import { expect, test } from 'vitest';
import { choices } from '../../src/sandbox/index.js';

test('every choice says what, how and why, once', () => {
  for (const { topic, choice, why } of choices) {
    expect(topic).toMatch(/^[A-Za-z]/);
    expect(choice.length).toBeGreaterThan(10);
    expect(why).toMatch(/\.$/);
  }
  expect(new Set(choices.map(({ topic }) => topic)).size).toBe(choices.length);
});

test('the list cannot be changed', () => {
  expect(Object.isFrozen(choices)).toBe(true);
  expect(choices.every(Object.isFrozen)).toBe(true);
});
