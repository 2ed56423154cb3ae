import { findSchemas } from '../../src/contract/schemas.js';
import { assumedNames, assumedSentence } from './assumed.js';
import type { ErrorExamples, Example } from './examples.js';
import { type AnyOperation, bodySchema, type Schema } from './schemas.js';

interface ErrorResponse {
  readonly status: number;
  readonly name: string;
  /** The code of the sandbox's error. */
  readonly code: string;
  readonly description: string;
  readonly applies: (operation: AnyOperation) => boolean;
}

/** The API docs' table of errors (Errors). */
const errors: readonly ErrorResponse[] = [
  {
    status: 400,
    name: 'InvalidData',
    code: 'invalid_request',
    description: 'Invalid data, or invalid documents (onboarding).',
    applies: ({ encoding }) => encoding !== 'none',
  },
  {
    status: 401,
    name: 'Unauthorized',
    code: 'unauthorized',
    description: 'The credentials are invalid or missing.',
    applies: () => true,
  },
  {
    status: 403,
    name: 'FeatureNotEnabled',
    code: 'feature_not_enabled',
    description: 'The feature is not enabled for this merchant (onboarding).',
    applies: ({ errors }) => errors?.[403] !== undefined,
  },
  {
    status: 404,
    name: 'WithdrawalNotFound',
    code: 'not_found',
    description: 'The withdrawal belongs to another account.',
    applies: ({ errors }) => errors?.[404] !== undefined,
  },
  {
    status: 409,
    name: 'KeyReused',
    code: 'idempotency_key_reused',
    description: 'The x-idempotency-key was used before with a different payload.',
    applies: ({ repeatedKeyGets }) => repeatedKeyGets === 'first-response',
  },
  {
    status: 409,
    name: 'OutcomeUnknown',
    code: 'payment_outcome_unknown',
    description:
      'The first attempt ended in an unknown state. The key stays protected, and retries get 409 until the operation is tied to a local transaction or resolved operationally.',
    applies: ({ repeatedKeyGets }) => repeatedKeyGets === 'current-state',
  },
  {
    status: 429,
    name: 'RateLimited',
    code: 'rate_limited',
    description: 'The rate limit is exceeded.',
    applies: ({ rateLimit }) => rateLimit !== undefined,
  },
];

const undocumented = 'The shape of the body is undocumented.';

const assumedHeaders = assumedNames.filter(({ in: places }) => places.includes('response-header'));

const headers = Object.fromEntries(
  assumedHeaders.map(({ wire, property }) => [wire, { $ref: `#/components/headers/${property}` }]),
);

/** Describes the headers of every response. */
export function describeResponseHeaders(): Schema {
  return Object.fromEntries(
    assumedHeaders.map((name) => [
      name.property,
      { description: assumedSentence(name), schema: { type: 'string' }, 'x-assumed': name.key },
    ]),
  );
}

/** Describes the error responses, by name. */
export function describeErrorResponses(examples: ErrorExamples): Schema {
  return Object.fromEntries(
    errors.map(({ name, code, description }) => {
      const example = examples[code];
      if (example === undefined) throw new Error(`No call was rejected with ${code}.`);
      const media = { schema: { $ref: '#/components/schemas/Error' }, example };
      return [
        name,
        { description: `${description} ${undocumented}`, headers, content: { 'application/json': media } },
      ];
    }),
  );
}

/** The body of an error in the sandbox's format. */
export const errorSchema: Schema = {
  type: 'object',
  description:
    'Undocumented: the API docs do not show the body of an error. This is the shape of the sandbox.',
  'x-undocumented': true,
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        issues: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
};

/** Describes the responses of an operation. */
export function describeResponses(operation: AnyOperation, example: Example): Schema {
  const failed = errors
    .filter(({ applies }) => applies(operation))
    .map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]);
  return Object.fromEntries([[operation.success ?? '2XX', success(operation, example)], ...failed]);
}

function success({ id, success: status, result }: AnyOperation, { response: example }: Example): Schema {
  const description = status === undefined ? 'The status of success is undocumented.' : 'Accepted.';
  const { response } = findSchemas(id);
  const media = response && { schema: bodySchema(response), ...(example !== undefined && { example }) };
  const content = media && { 'application/json': media };
  if (result === 'unspecified') {
    return {
      description: 'Neither the status of success nor the body is documented.',
      headers,
      ...(content && { content }),
    };
  }
  if (result === 'file') {
    return {
      description: `${description} The content type, application/pdf, is also undocumented.`,
      headers,
      content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  return { description: description, headers, content };
}
