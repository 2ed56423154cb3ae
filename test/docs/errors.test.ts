import { readdirSync, readFileSync } from 'node:fs';
import * as client from 'payment-platform';
import * as durable from 'payment-platform/durable';
import * as webhooks from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The error classes that are exported. */
const classes = [
  ...new Set(
    Object.values({ ...client, ...durable, ...webhooks })
      .filter(
        (value): value is typeof client.PaymentPlatformError =>
          typeof value === 'function' && 'kind' in value,
      )
      .map(({ kind }) => kind),
  ),
].sort();

/** The codes that the sources give to errors. */
const codes = (() => {
  const sources = ['src/errors'].flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(`${folder}/${name}`)),
  );
  sources.push(read('src/durable/durable-error.ts'), read('src/transport/report/token-error.ts'));
  const found = sources.flatMap((source) => [
    ...[...source.matchAll(/super\(\s*'(\w+)'/g)].map(([, code]) => code),
    ...[...source.matchAll(/super\([^()]*, '(\w+)'\)/g)].map(([, code]) => code),
    ...[...source.matchAll(/code = '(\w+)'/g)].map(([, code]) => code),
    ...[...source.matchAll(/'((?:payment|token)_\w+)'/g)].map(([, code]) => code),
  ]);
  return [...new Set(found)].filter((code) => code !== undefined).sort();
})();

test('the sources have errors', () => {
  expect(classes).toHaveLength(18);
  expect(codes.length).toBeGreaterThanOrEqual(18);
});

describe.each(['docs/errors.md', 'docs/pt/errors.md'])('%s', (page) => {
  const text = read(page);

  test('has a section for each class, and for no other', () => {
    const headings = [...text.matchAll(/^## (\w+Error)$/gm)].map(([, name]) => name).sort();
    expect(headings).toEqual(classes);
  });

  test('has each code, and no other', () => {
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+|timeout|aborted)`/g)].map(([, code]) => code);
    expect(codes.filter((code) => !named.includes(code))).toEqual([]);
    const first = [...text.matchAll(/^## \w+Error\n\n`(\w+)`/gm)].map(([, code]) => code);
    expect(first.filter((code) => !codes.includes(code ?? ''))).toEqual([]);
  });
});

test('each error names its section', () => {
  const error = new client.ConfigurationError('a mistake');
  expect(error.docs).toBe('docs/errors.md#configurationerror');
  expect(Object.keys(error)).not.toContain('docs');
});
