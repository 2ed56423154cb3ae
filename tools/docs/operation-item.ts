import { shapes } from '../../src/contract/generated/shapes.js';
import { limits, type RateLimitGroup } from '../../src/contract/limits.js';
import type { ParamKind } from '../../src/contract/operation.js';
import { findSchemas, findSection } from '../../src/contract/schemas.js';
import { isRecord } from '../../src/validation/record.js';
import { assumedBy, assumedIn, assumedSentence } from './assumed.js';
import type { Example } from './examples.js';
import { describeResponses } from './responses.js';
import { listRules } from './rules.js';
import { type AnyOperation, bodySchema, findSchemaName, inline, type Schema } from './schemas.js';

const perMinute = limits.requestsPerMinute;

const rateLimits: Readonly<Record<RateLimitGroup, string>> = {
  submerchants: `Rate limit: ${perMinute.submerchants} requests a minute per credential. Whether the operations under /v1/submerchants and the submissions of an onboarding count together is undocumented. The API docs state it inconsistently: an earlier statement gives ${limits.earlierSubmerchantsPerMinute} for the operations under /v1/submerchants.`,
  onboarding: `Rate limit: ${perMinute.onboarding} requests a minute per credential. Whether the submissions of an onboarding and the operations under /v1/submerchants count together is undocumented.`,
  vault: `Rate limit: ${perMinute.vault} requests a minute per IP.`,
};

/** Converts an operation of the contract to OpenAPI. */
export function operationItem(operation: AnyOperation, example: Example = {}): Schema {
  const { id, replay, rateLimit } = operation;
  const parameters = describeParameters(operation);
  const requestBody = describeRequestBody(operation, example);
  return {
    operationId: id,
    summary: findSchemas(id).summary,
    description: formatDescription(operation),
    tags: [id.split('.')[0]],
    ...(operation.public && { security: [{}, { basic: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(operation, example),
    'x-replay': replay,
    ...(rateLimit && {
      'x-rate-limit': { group: rateLimit, requestsPerMinute: perMinute[rateLimit] },
    }),
  };
}

function formatDescription(operation: AnyOperation): string {
  const { rateLimit } = operation;
  const rules = listRules(operation);
  const assumed = assumedBy(operation);
  const paragraphs = [`In the API docs: ${findSection(operation)}.`];
  if (rules.length > 0) {
    const lines = rules.map(
      ({ path, message, check }) =>
        `- \`${path}\`: ${message}${check === undefined ? '' : ` (a check of this package: \`${check}\`)`}`,
    );
    paragraphs.push(['Rules between fields:', '', ...lines].join('\n'));
  }
  if (operation.public) {
    paragraphs.push(
      'The credentials go in the body, or in an Authorization: Basic header. Which encodings of the body are accepted is undocumented.',
    );
  }
  if (rateLimit !== undefined) paragraphs.push(rateLimits[rateLimit]);
  if (assumed.length > 0) {
    const names = [...new Set(assumed.map(({ wire }) => `\`${wire}\``))];
    paragraphs.push(`Assumed names, which the API docs leave open: ${names.join(', ')}.`);
  }
  return paragraphs.join('\n\n');
}

const paramSchemas: Readonly<Record<ParamKind, Schema>> = {
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer' },
  text: { type: 'string' },
};

function describeParameters(operation: AnyOperation): Schema[] {
  const { id, path, params, idempotencyKey } = operation;
  const { query } = findSchemas(id);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return { name, in: 'path', required: true, schema: paramSchemas[params?.[name] ?? 'text'] };
  });
  const key = { required: 'RequiredIdempotencyKey', optional: 'IdempotencyKey', none: undefined }[
    idempotencyKey
  ];
  return [
    ...inPath,
    ...(query === undefined ? [] : queryParameters(operation, inline(query))),
    ...(key === undefined ? [] : [{ $ref: `#/components/parameters/${key}` }]),
  ];
}

function queryParameters(operation: AnyOperation, { properties }: Schema): Schema[] {
  const assumed = assumedIn(shapes[operation.id].query, 'query');
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const guess = assumed.find(({ wire }) => wire === name);
    return {
      name,
      in: 'query',
      schema,
      ...(guess && { description: assumedSentence(guess), 'x-assumed': guess.key }),
    };
  });
}

function describeRequestBody(operation: AnyOperation, { request: example }: Example): Schema | undefined {
  const { id, encoding } = operation;
  const { request } = findSchemas(id);
  if (request === undefined) return undefined;
  const media = { schema: bodySchema(request), ...(example !== undefined && { example }) };
  if (encoding === 'multipart') return { required: true, content: { 'multipart/form-data': media } };
  const free = findSchemaName(request) === undefined && {
    description: 'Its fields are undocumented.',
  };
  const types = operation.public
    ? ['application/json', 'application/x-www-form-urlencoded']
    : ['application/json'];
  return { ...free, required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}
