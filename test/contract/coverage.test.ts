import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import { findSchemas, findSection } from '../../src/contract/schemas.js';
import { PaymentPlatform } from '../../src/index.js';
import { isRecord } from '../../src/validation/record.js';
import { wireForms } from '../support/wire-forms.js';

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

  test('has a wire format test', () => {
    expect(Object.keys(wireForms)).toContain(id);
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

test('every wire format test belongs to an operation', () => {
  expect(isRecord(wireForms)).toBe(true);
  expect(Object.keys(wireForms).sort()).toEqual(all.map(({ id }) => id).sort());
});

/** Lists the endpoints as in the API docs: method, path, heading. */
const documented: readonly (readonly [string, string, string])[] = [
  ['POST', '/v1/payments', 'POST /v1/payments'],
  ['GET', '/v1/payments/{id}/boleto', 'GET /v1/payments/{id}/boleto'],
  ['POST', '/v1/submerchants', 'POST /v1/submerchants'],
  ['PATCH', '/v1/submerchants/{internalId}', 'PATCH /v1/submerchants/{internalId}'],
  ['POST', '/v2/submerchants/onboarding/pf', 'POST /v2/submerchants/onboarding/pf'],
  ['POST', '/v2/submerchants/onboarding/pj', 'POST /v2/submerchants/onboarding/pj'],
  [
    'GET',
    '/v2/submerchants/onboarding/{registrationId}/status',
    'GET /v2/submerchants/onboarding/{registrationId}/status',
  ],
  [
    'POST',
    '/v2/submerchants/onboarding/{registrationId}/resend-documents',
    'POST /v2/submerchants/onboarding/{registrationId}/resend-documents',
  ],
  ['POST', '/v1/submerchants/withdrawals', 'Withdrawals'],
  ['GET', '/v1/submerchants/withdrawals/{withdrawId}', 'Withdrawals'],
  ['POST', '/v1/payment-method-domains', 'POST /v1/payment-method-domains'],
  ['GET', '/v1/payment-method-domains', 'GET /v1/payment-method-domains'],
  ['GET', '/v1/certificates', 'Certificates'],
  ['POST', '/v1/certificates/{id}/activate', 'Certificates'],
  ['POST', '/v1/certificates/{id}/revoke', 'Certificates'],
  ['POST', '/v1/webhooks', 'POST /v1/webhooks'],
  ['PUT', '/v1/webhooks/{id}', 'PUT /v1/webhooks/{id}'],
  ['GET', '/v1/webhooks', 'GET /v1/webhooks'],
  ['POST', '/v1/vault/tokenize', 'Vault'],
  ['POST', '/oauth/token', 'Authentication'],
];

describe('the endpoints of the API docs', () => {
  test.each(documented)(
    'include %s %s, whose operation refers to the right section of the API docs',
    (method, path, section) => {
      const operation = all.find((one) => one.method === method && one.path === path);
      expect(operation && findSection(operation)).toBe(section);
    },
  );

  test.each(all)('include the endpoint of the operation $id exactly once', ({ method, path }) => {
    expect(documented.filter(([verb, address]) => verb === method && address === path)).toHaveLength(1);
  });

  test('each belong to exactly one operation', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all).toHaveLength(documented.length);
  });
});
