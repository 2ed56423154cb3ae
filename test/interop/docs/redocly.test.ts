import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';

const path = new URL('../../../docs/openapi.json', import.meta.url);
const committed = readFileSync(path, 'utf8');
const controlApi = new URL('../../../docs/sandbox-openapi.json', import.meta.url);

async function lint(source: string, file = path) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: file.pathname, config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test('Redocly’s recommended rules find nothing in the control API description, and all are enabled', async () => {
  expect(await lint(readFileSync(controlApi, 'utf8'), controlApi)).toEqual([]);
});

describe('Redocly’s recommended rules for the OpenAPI file', () => {
  test('report no problem, and all are enabled', async () => {
    expect(await lint(committed)).toEqual([]);
  });

  test.each([
    ['"#/components/schemas/Payment"', '"#/components/schemas/Nothing"', 'no-unresolved-refs'],
    ['"type": "apiKey"', '"type": "nonsense"', 'struct'],
    ['"name": "withdrawId"', '"name": "withdrawalId"', 'path-parameters-defined'],
  ])('report the replacement of %s with %s under the rule %s', async (from, to, rule) => {
    const spoilt = committed.replace(from, to);
    expect(spoilt).not.toBe(committed);
    expect((await lint(spoilt)).join('\n')).toContain(rule);
  });
});
