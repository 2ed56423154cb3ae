import { readFileSync } from 'node:fs';
import * as client from 'payment-platform';
import * as durable from 'payment-platform/durable';
import * as webhooks from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../support/error-codes.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Lists the exported error classes. */
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

describe.each(['docs/errors.md', 'docs/pt/errors.md'])('%s', (page) => {
  const text = read(page);

  test('has exactly one section for each error class', () => {
    const headings = [...text.matchAll(/^## (\w+Error)$/gm)].map(([, name]) => name).sort();
    expect(headings).toEqual(classes);
  });

  test.each(Object.entries(errorCodes))('explains the code %s in the section on %s', (code, name) => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
    expect(section).toContain(`\`${code}\``);
  });
});

test('an error’s property docs names its section of the errors page', () => {
  const error = new client.ConfigurationError('a mistake');
  expect(error.docs).toBe('docs/errors.md#configurationerror');
  expect(Object.keys(error)).not.toContain('docs');
});
