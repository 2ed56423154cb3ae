import { findSchemas } from '../../src/contract/schemas.js';
import { assumedNames, assumedSentence } from './assumed.js';
import type { ErrorExamples, Example } from './examples.js';
import { type AnyOperation, bodySchema, type Schema } from './schemas.js';

interface ErrorResponse {
  readonly status: number;
  /** The code of the sandbox's error. */
  readonly code: string;
  readonly applies: (operation: AnyOperation) => boolean;
}

/** The API docs' table of errors (Errors), by the names of openapi.yaml. */
const errors: Readonly<Record<string, ErrorResponse>> = {
  InvalidData: { status: 400, code: 'invalid_request', applies: ({ encoding }) => encoding !== 'none' },
  Unauthorized: { status: 401, code: 'unauthorized', applies: () => true },
  FeatureNotEnabled: {
    status: 403,
    code: 'feature_not_enabled',
    applies: ({ errors }) => errors?.[403] !== undefined,
  },
  WithdrawalNotFound: {
    status: 404,
    code: 'not_found',
    applies: ({ errors }) => errors?.[404] !== undefined,
  },
  KeyReused: {
    status: 409,
    code: 'idempotency_key_reused',
    applies: ({ repeatedKeyGets }) => repeatedKeyGets === 'first-response',
  },
  OutcomeUnknown: {
    status: 409,
    code: 'payment_outcome_unknown',
    applies: ({ repeatedKeyGets }) => repeatedKeyGets === 'current-state',
  },
  RateLimited: { status: 429, code: 'rate_limited', applies: ({ rateLimit }) => rateLimit !== undefined },
};

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

/** Adds the headers, the schema and an example to the error responses. */
export function describeErrorResponses(
  words: Readonly<Record<string, { readonly description: string }>>,
  examples: ErrorExamples,
): Schema {
  return Object.fromEntries(
    Object.entries(errors).map(([name, { code }]) => {
      const example = examples[code];
      if (example === undefined) throw new Error(`No call was rejected with ${code}.`);
      const media = { schema: { $ref: '#/components/schemas/Error' }, example };
      const description = `${words[name]?.description} ${undocumented}`;
      return [name, { description, headers, content: { 'application/json': media } }];
    }),
  );
}

/** Describes the responses of an operation. */
export function describeResponses(operation: AnyOperation, example: Example): Schema {
  const failed = Object.entries(errors)
    .filter(([, { applies }]) => applies(operation))
    .map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]);
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
