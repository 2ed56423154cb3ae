import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchema } from '../../tools/docs/config-schema.js';
import { printJson } from '../../tools/docs/print.js';

test('the committed schema of a configuration is up to date: npm run generate changes nothing', () => {
  const committed = readFileSync(new URL('../../docs/config.schema.json', import.meta.url), 'utf8');
  expect(committed).toBe(printJson(configSchema()));
});
