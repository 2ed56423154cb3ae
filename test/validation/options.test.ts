import { describe, expect, test } from 'vitest';
import {
  functionReader,
  integerReader,
  type OptionReaders,
  oneOf,
  readerFor,
  readOptions,
  required,
  validIf,
} from '../../src/validation/options.js';

interface Options {
  mode?: 'fast' | 'slow' | undefined;
  count?: number | undefined;
  name: string;
  inner?: { onDone?: (() => void) | undefined } | undefined;
}

const text = validIf<string>((input) => typeof input === 'string', 'must be a string');

const readers: OptionReaders<Options> = {
  mode: oneOf('fast', 'slow'),
  count: integerReader(1, 'a number of tries'),
  name: required(text, 'is missing: pass it'),
  inner: readerFor({ onDone: functionReader<() => void>() }, 'hook'),
};

const problems = (input: unknown) =>
  readOptions(input, readers).issues.map(({ path, message }) => `${path} ${message}`.trim());

describe('readOptions', () => {
  test('accepts correct options, and returns undefined for missing ones', () => {
    const { value, issues } = readOptions({ mode: 'fast', name: 'a', count: undefined }, readers);
    expect(issues).toEqual([]);
    expect(value).toEqual({ mode: 'fast', name: 'a' });
  });

  test('reports every problem with its path in one error', () => {
    expect(problems({ mode: 'quick', count: 0.5, inner: { onDone: 1, onDon: 2 }, counts: 1 })).toEqual([
      'counts is an unknown option. Did you mean count?',
      "mode must be 'fast' or 'slow'",
      'count must be a number of tries: an integer of at least 1',
      'name is missing: pass it',
      'inner.onDon is an unknown hook. Did you mean onDone?',
      'inner.onDone must be a function',
    ]);
  });

  test('suggests the option that a misspelt one resembles', () => {
    expect(problems({ name: 'a', Mode: 'fast' })).toEqual(['Mode is an unknown option. Did you mean mode?']);
  });

  test.each([
    ['nam', 'name'],
    ['COUNT', 'count'],
    ['customer_name', 'name'],
    ['nmae', 'name'],
  ])('suggests, for the unknown option %s, the option %s', (input, meant) => {
    expect(problems({ name: 'a', [input]: 1 })).toEqual([
      `${input} is an unknown option. Did you mean ${meant}?`,
    ]);
  });

  test.each(['idempotency_key', 'colour', 'n'])(
    'suggests no option for %s, and lists the known options',
    (input) => {
      expect(problems({ name: 'a', [input]: 1 })).toEqual([
        `${input} is an unknown option. Known: mode, count, name, inner`,
      ]);
    },
  );

  test('truncates the long name of an unknown option', () => {
    expect(problems({ name: 'a', ['x'.repeat(5_000)]: 1 })).toEqual([
      `${'x'.repeat(40)}… is an unknown option. Known: mode, count, name, inner`,
    ]);
  });

  test.each([undefined, null, 1, 'text', [], () => 1])('rejects %s as options', (input) => {
    expect(problems(input)).toEqual(['must be an object with name']);
  });

  test('reads each option only once', () => {
    let reads = 0;
    const input = {
      name: 'a',
      get mode() {
        reads++;
        return reads === 1 ? 'fast' : 'other';
      },
    };
    expect(readOptions(input, readers).value?.mode).toBe('fast');
    expect(reads).toBe(1);
  });

  test('reads options that a class inherits', () => {
    class Defaults {
      get mode() {
        return 'slow';
      }
    }
    expect(readOptions(Object.assign(new Defaults(), { name: 'a' }), readers).value?.mode).toBe('slow');
  });
});
