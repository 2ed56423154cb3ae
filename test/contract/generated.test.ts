import { describe, expect, test } from 'vitest';
import { shapes } from '../../src/contract/generated/shapes.js';
import { operations } from '../../src/contract/index.js';
import { issuesIn } from '../../src/contract/read-value.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { type Schema, schemaDrift } from '../../src/contract/schema-drift.js';
import { findSchemas } from '../../src/contract/schemas.js';
import type { Issue } from '../../src/validation/issue.js';
import { runs, seed } from '../support/load.js';

const count = runs(10_000);

/** Creates a source of random numbers below a limit. The same seed gives the same numbers. */
function randomBelow(start: number): (limit: number) => number {
  let state = start >>> 0;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  };
}

const texts = [
  '',
  ' ',
  'x',
  'ana@shop.example',
  '12345678909',
  '123.456.789-09',
  '12ABC34501DE35',
  '+5511912345678',
  '2024-02-29',
  '2023-02-29',
  '001',
  '12345678',
  'SP',
  'pix',
  'https://shop.example/hook',
  'http://localhost:1',
  'http://shop.example',
  'shop.example',
  'shop.example/x',
  'client_credentials',
  '0b5a1f0e-9c5d-4c7b-8f43-0123456789ab',
  '0B5A1F0E-9C5D-0C7B-0F43-0123456789AB',
  '19.90',
  'a'.repeat(16),
  'á'.repeat(40),
  'a'.repeat(101),
  'a'.repeat(256),
];
const numbers = [0, -1, 1, 99, 100, 1990, 19.9, 15_000_000, 15_000_001, 1e9, -0.5, Number.MAX_SAFE_INTEGER];
const others = [null, true, false, [], {}, [null], { a: 1 }];

/** Creates a value close to a shape: partly valid, or valid if `breaks` is false. */
function valueNear(
  shape: RuntimeSchema | undefined,
  below: (limit: number) => number,
  breaks: boolean,
  depth = 0,
): unknown {
  const one = <Value>(values: readonly Value[]): Value => {
    const fitting =
      breaks || shape === undefined
        ? []
        : values.filter((value) => issuesIn(value, shape, false).length === 0);
    const chosen = fitting.length > 0 ? fitting : values;
    return chosen[below(chosen.length)] as Value;
  };
  if (breaks && below(14) === 0) return one<unknown>([one(texts), one(numbers), ...others]);
  switch (depth > 6 ? 'any' : shape?.type) {
    case 'object': {
      const fields = Object.entries(shape?.fields ?? {});
      const kept = fields.filter(([, { isOptional }]) => below(isOptional ? 2 : breaks ? 12 : 99) > 0);
      const entries = kept.map(
        ([name, field]) => [name, valueNear(field, below, breaks, depth + 1)] as const,
      );
      const added =
        breaks && below(8) === 0 ? [[one(['added', 'constructor', 'amoumt', 'toString']), one(others)]] : [];
      const all = [...entries, ...added];
      return Object.fromEntries(below(2) === 0 ? all : all.reverse());
    }
    case 'array':
      return Array.from({ length: breaks ? below(3) : 1 }, () =>
        valueNear(shape?.entries, below, breaks, depth + 1),
      );
    case 'one of':
      return one([...(shape?.values ?? []), 'other']);
    case 'integer':
    case 'number':
      return one(numbers);
    case 'boolean':
      return below(2) === 0;
    case 'file':
      return one<unknown>([{}, 7, null]);
    case 'any':
      return one<unknown>(others);
    default:
      return one(texts);
  }
}

/** If zod gets a string instead of an array, it also reports the string's length, which repeats the issue. */
const withoutRepeats = (issues: readonly Issue[]) => {
  const wrong = issues.filter(({ message }) => /^must be an? .*, not /.test(message)).map(({ path }) => path);
  return issues.filter(({ path, message }) => !(message.startsWith('must have') && wrong.includes(path)));
};

/** Removes the suggestion for a misspelt name, which the schemas do not make. */
const inOrder = (issues: readonly Issue[]) =>
  issues.map(({ path, message }) => `${path} ${message.replace(/\. Rename \w+ to \w+$/, '')}`).sort();

describe('the generated shapes', () => {
  const parts = operations.flatMap(({ id }) =>
    (['query', 'request', 'response'] as const).flatMap((part) => {
      const [shape, schema] = [shapes[id][part], findSchemas(id)[part]];
      return shape === undefined || schema === undefined ? [] : [{ id, part, shape, schema }];
    }),
  );

  test('exist for every query, request and response that has a schema, and for no other', () => {
    for (const { id } of operations)
      for (const part of ['query', 'request', 'response'] as const)
        expect(shapes[id][part] === undefined).toBe(findSchemas(id)[part] === undefined);
    expect(parts.length).toBeGreaterThan(20);
  });

  test.each(parts)(
    'report the same issues as the zod schemas in the $part of $id',
    { timeout: 600_000 },
    ({ shape, schema }) => {
      const runs = Math.ceil(count / parts.length);
      let valid = 0;
      for (let run = 0; run < runs; run++) {
        const value = valueNear(shape, randomBelow(seed * 1_000_003 + run), run % 4 > 0);
        const found = inOrder(issuesIn(value, shape, false));
        const expected = inOrder(withoutRepeats(schemaDrift(schema as Schema, value)));
        if (found.join('\n') !== expected.join('\n'))
          expect({ value, found }).toEqual({ value, found: expected });
        if (found.length === 0) valid++;
      }
      // The values include both valid and invalid values.
      expect(valid).toBeGreaterThan(0);
      expect(valid).toBeLessThan(runs);
    },
  );
});
