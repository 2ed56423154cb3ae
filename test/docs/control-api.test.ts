import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actions } from '../../sandbox/control-api/actions/all.js';
import { buildControlApiDocument } from '../../sandbox/control-api/openapi.js';
import { printJson } from '../../tools/docs/print.js';
import { responseSchemas } from '../../tools/docs/response-schemas.js';

const file = new URL('../../docs/sandbox-openapi.json', import.meta.url);
const committed = readFileSync(file, 'utf8');
const page = readFileSync(new URL('../../docs/control-api.md', import.meta.url), 'utf8');

test('the schemas of the responses are up to date: npm run generate changes nothing', () => {
  const schemas = new URL('../../sandbox/control-api/response-schemas.json', import.meta.url);
  expect(readFileSync(schemas, 'utf8')).toBe(printJson(responseSchemas()));
});

test('the committed control API description is up to date: npm run generate changes nothing', () => {
  expect(committed).toBe(printJson(buildControlApiDocument()));
});

test.each(actions.map((action) => [action.id, action] as const))(
  'the control API description includes %s',
  (id, action) => {
    const { paths } = JSON.parse(committed);
    const described = paths[`/_sandbox${action.path}`]?.[action.method.toLowerCase()];
    expect(described).toMatchObject({ operationId: id, summary: action.summary });
    expect(page).toContain(`| \`${action.method} /_sandbox${action.path}\` `);
  },
);
