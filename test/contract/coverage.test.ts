import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import { findSchemas, findSection } from '../../src/contract/schemas.js';
import { PaymentPlatform } from '../../src/index.js';
import { operationRecords } from '../operations/index.js';

const all: readonly Operation<OperationId>[] = operations;
const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Finds the value at a dotted path. */
const findMember = (target: unknown, path: string) =>
  path
    .split('.')
    .reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], target);

const credentials = { baseUrl: 'https://api.platform.example', clientId: 'id', clientSecret: 'secret' };

/** Reads handwritten pages only, because the generated pages mention every operation anyway. */
const pages = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md') && !['docs/assumptions.md', 'docs/operations.md'].includes(name))
  .map(read)
  .join('\n');

/** Fills each path parameter with a UUID, or with a number for a withdrawal. */
const filled = (path: string) =>
  path.replace('{withdrawId}', '1').replaceAll(/\{\w+\}/g, '3f1c9b0e-6a52-4c07-9d3e-5b8f2a7c1d40');

describe.each(all)('the operation $id', ({ id, method, path }) => {
  const { through } = findSchemas(id);
  test('has a client method, or a client option that makes the client call it', () => {
    const method = findMember(new PaymentPlatform(credentials), id);
    expect(typeof method).toBe(through === undefined ? 'function' : 'undefined');
  });

  test('has a route in the sandbox', async () => {
    const sandbox = createSandbox();
    const { baseUrl, fetch, clientId, clientSecret } = sandbox.clientOptions();
    const headers = { 'client-id': clientId, 'client-secret': clientSecret };
    const response = await fetch(baseUrl + filled(path), { method, headers });
    const text = await response.text();
    expect(text).not.toContain('The sandbox has no');
    expect(sandbox.journal.requests[0]?.operation).toBe(id);
    expect(response.status).not.toBe(500);
    expect(response.status).not.toBe(501);
    await sandbox.close();
  });

  test('is mentioned in the docs', () => {
    const mention = through ?? `platform.${id}`;
    expect(pages).toMatch(new RegExp(`${mention.replaceAll('.', '\\.')}(?!\\w)`));
  });

  test('is in the OpenAPI file', () => {
    const { paths } = JSON.parse(read('docs/openapi.json'));
    expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
  });
});

test('the sandbox has no route for /v1/refunds, which is not in the API docs', async () => {
  const sandbox = createSandbox();
  const { baseUrl, fetch } = sandbox.clientOptions();
  expect(await (await fetch(`${baseUrl}/v1/refunds`)).text()).toContain('The sandbox has no');
  await sandbox.close();
});

describe('the endpoints of the API docs', () => {
  test.each(all)(
    'include $method $path, and the operation refers to the section of its record',
    (operation) => {
      expect(findSection(operation)).toBe(operationRecords[operation.id].section);
    },
  );

  test('each belong to exactly one operation', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
  });
});
