import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import type { Operation } from '../../src/contract/operation.js';
import { assumptions } from '../../src/contract/overrides.js';
import { openapiDocument } from '../../tools/docs/openapi.js';
import { printJson } from '../../tools/docs/print.js';
import { listRules } from '../../tools/docs/rules.js';

const path = new URL('../../docs/openapi.json', import.meta.url);
const committed = readFileSync(path, 'utf8');

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { $ref?: string; name?: string; in?: string; schema?: object }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string; type?: string } }> };
  responses: Record<string, { $ref?: string; description?: string; content?: object }>;
  security?: object[];
  'x-rate-limit'?: { group: string; requestsPerMinute: number };
}

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, { properties: Record<string, Record<string, unknown>>; required: string[] }>;
  };
}

const document: Document = JSON.parse(committed);

function described({ path, method }: Pick<Operation, 'path' | 'method'>): Described {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${method} ${path} is not described.`);
  return found;
}

const byId = (id: string) => described(operations.find((operation) => operation.id === id) as Operation);

test('the committed OpenAPI file is up to date: npm run generate changes nothing', async () => {
  expect(committed).toBe(printJson(await openapiDocument()));
});

test('generating the OpenAPI file twice gives the same result', async () => {
  expect(printJson(await openapiDocument())).toBe(printJson(await openapiDocument()));
});

test('every request body and every documented response in the OpenAPI file has an example', () => {
  const items = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const isWithout = ({ requestBody, responses }: Described) =>
    [requestBody, ...Object.values(responses)].some((body) =>
      Object.entries(body?.content ?? {}).some(
        ([type, media]) => type !== 'application/pdf' && !('example' in media),
      ),
    );
  expect(items.filter(isWithout).map(({ operationId }) => operationId)).toEqual([]);
});

describe('the OpenAPI file’s list of operations', () => {
  test('matches the contract', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const expected = operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(found.sort()).toEqual(expected.sort());
  });

  test.each(operations as readonly Operation[])('describes $id', (operation) => {
    const item = described(operation);
    const { idempotencyKey, encoding, success, repeatedKeyGets, rateLimit, result } = operation;
    const references = item.parameters?.map(({ $ref }) => $ref?.split('/').at(-1)) ?? [];
    expect(references.includes('RequiredIdempotencyKey')).toBe(idempotencyKey === 'required');
    expect(references.includes('IdempotencyKey')).toBe(idempotencyKey === 'optional');
    const named =
      item.parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? [];
    expect(named).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const types = Object.keys(item.requestBody?.content ?? {});
    const expected = { json: 'application/json', multipart: 'multipart/form-data', none: undefined }[
      encoding
    ];
    expect(types[0]).toBe(expected);
    expect(Object.keys(item.responses)).toContain(success === undefined ? '2XX' : String(success));
    expect('409' in item.responses).toBe(repeatedKeyGets !== undefined);
    expect('429' in item.responses).toBe(rateLimit !== undefined);
    expect('401' in item.responses).toBe(true);
    for (const { message } of listRules(operation)) expect(item.description).toContain(message);
    if (result === 'unspecified')
      expect(item.responses['2XX']?.description).toContain('nor the body is documented');
  });
});

describe('the OpenAPI file', () => {
  test('has the same version as the API docs', () => {
    expect(document.info.version).toBe('1.0.0');
  });

  test('describes the bank account as a JSON string, and files as binary', () => {
    const { properties, required } = document.components.schemas.OnboardingPf ?? {};
    expect(properties?.bankAccount).toMatchObject({
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/BankAccount' },
    });
    expect(properties?.selfie).toEqual({ type: 'string', format: 'binary' });
    expect(required).toContain('selfie');
    expect(required).not.toContain('email');
  });

  test('states the documented limits of numbers, and never JavaScript’s safe integer limit', () => {
    const { amount } = document.components.schemas.CreatePayment?.properties ?? {};
    expect(amount).toEqual(expect.objectContaining({ type: 'integer', minimum: 100, maximum: 15_000_000 }));
    expect(committed).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('allows null as a webhook secret only in the update', () => {
    const printSecret = (name: string) =>
      JSON.stringify(document.components.schemas[name]?.properties.hmac_secret);
    expect(printSecret('UpdateWebhook')).toContain('"null"');
    expect(printSecret('CreateWebhook')).not.toContain('"null"');
  });

  test('states when an operation returns a 403, 404 or 409', () => {
    const findRef = (id: string, status: number) => byId(id).responses[status]?.$ref?.split('/').at(-1);
    expect(findRef('onboarding.submitPj', 403)).toBe('FeatureNotEnabled');
    expect(findRef('submerchants.withdrawals.retrieve', 404)).toBe('WithdrawalNotFound');
    expect(findRef('payments.create', 409)).toBe('OutcomeUnknown');
    expect(findRef('submerchants.create', 409)).toBe('KeyReused');
    expect(findRef('domains.list', 404)).toBeUndefined();
  });

  test('states the rate limits, and mentions the one that the API docs state inconsistently', () => {
    expect(byId('submerchants.update')['x-rate-limit']).toEqual({
      group: 'submerchants',
      requestsPerMinute: limits.requestsPerMinute.submerchants,
    });
    expect(byId('submerchants.update').description).toContain('state it inconsistently');
    expect(byId('onboarding.submitPf')['x-rate-limit']).toEqual({
      group: 'onboarding',
      requestsPerMinute: limits.requestsPerMinute.onboarding,
    });
    expect(byId('vault.tokenize')['x-rate-limit']?.requestsPerMinute).toBe(30);
  });

  test('requires no credential headers for the token endpoint, and allows a JSON or a form body', () => {
    const { security, requestBody } = byId('oauth.token');
    expect(security).toEqual([{}, { basic: [] }]);
    expect(Object.keys(requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
  });
});

describe('names in the OpenAPI file that are assumed, not documented', () => {
  test('are the only names that are marked with a fieldNames key', () => {
    const marked = [...committed.matchAll(/"x-assumed": "([^"]+)"/g)].map(([, key]) => key);
    expect(new Set(marked)).toEqual(new Set(Object.keys(assumptions)));
  });

  test('are explained in the field’s description', () => {
    const { split } = document.components.schemas.CreatePayment?.properties ?? {};
    expect(split).toMatchObject({
      'x-assumed': 'payment.split',
      description: expect.stringContaining(assumptions['payment.split'].reason),
    });
    expect(document.components.schemas.Payment?.properties.split).toHaveProperty('x-assumed');
    const filter = byId('certificates.list').parameters?.find(({ name }) => name === 'type');
    expect(filter).toMatchObject({ in: 'query', 'x-assumed': 'certificates.type' });
    expect(byId('webhooks.update').description).toContain('`webhook_url`');
    expect(byId('webhooks.create').description).not.toContain('Assumed');
  });
});
