import { version } from '../../src/version.js';
import { prefix } from '../http/control-paths.js';
import type { AnyAction, ResponseDescription } from './action.js';
import { actions, groups } from './actions/all.js';
import type { Fields, JsonSchema } from './fields.js';
import responseSchemas from './response-schemas.json' with { type: 'json' };

const description = `Controls a sandbox from any language, as customers, issuers, reviewers and the clock would.
It requires no credentials. Its requests are not in the journal, and faults do not affect them. Only programs, and pages of the same origin, can use it.`;

const errors: Readonly<Record<string, { status: number; description: string; schema?: string }>> = {
  Invalid: { status: 400, description: 'The request is invalid. `issues` lists all problems.' },
  NotFound: { status: 404, description: 'No item has this id.' },
  Conflict: {
    status: 409,
    description: 'Not possible in the current state. `legal` lists the possible actions.',
    schema: 'IllegalTransition',
  },
  TooLarge: { status: 413, description: 'The body is larger than 1 MiB.' },
  NotJson: { status: 415, description: 'The content type of the body is not application/json.' },
};

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** @param schemas the schemas of the responses, by name */
export function buildControlApiDocument(schemas: object = responseSchemas): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const action of actions) {
    const path = prefix + action.path;
    paths[path] = { ...paths[path], [action.method.toLowerCase()]: findOperation(action) };
  }
  paths[`${prefix}/events`] = { get: events };
  paths[`${prefix}/openapi.json`] = { get: itself };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox control API',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The sandbox that serves this description' }],
    security: [],
    tags: [
      ...Object.entries(groups).map(([name, about]) => ({ name, description: about })),
      { name: 'description', description: 'This description, and the stream of changes' },
    ],
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(
        Object.entries(errors).map(([name, { description, schema = 'Error' }]) => [
          name,
          { description, content: json({ $ref: `#/components/schemas/${schema}` }) },
        ]),
      ),
    },
  };
}

const listParameters = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);

function findOperation(action: AnyAction): object {
  const { id, path, summary, body, query = {}, response, conflicts } = action;
  const parameters = [
    ...listParameters(path).map((name) => ({
      name,
      in: 'path',
      required: true,
      description: name === 'field' ? 'The name of the form field.' : 'The id.',
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, field]) => ({
      name,
      in: 'query',
      required: field.isRequired,
      description: field.description,
      schema: field.schema,
    })),
  ];
  const mayFail = [
    'Invalid',
    ...(listParameters(path).length > 0 || 'before' in query ? ['NotFound'] : []),
    ...(conflicts ? ['Conflict'] : []),
    ...(action.method === 'GET' ? [] : ['TooLarge', 'NotJson']),
  ];
  return {
    operationId: id,
    tags: [id.replace(/\..*/, '')],
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: Object.values(body).some(({ isRequired }) => isRequired),
        content: json(bodySchema(body)),
      },
    }),
    responses: {
      ...describeResponse(response),
      ...Object.fromEntries(
        mayFail.map((name) => [String(errors[name]?.status), { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

function describeResponse({ description, schema, types }: ResponseDescription): object {
  if (schema !== undefined) return { 200: { description, content: json(schema) } };
  if (types === undefined) return { 204: { description } };
  return { 200: { description, content: Object.fromEntries(types.map((type) => [type, {}])) } };
}

function bodySchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, { description: field.description, ...field.schema }]),
    ),
    additionalProperties: false,
  };
}

const events = {
  operationId: 'events.listen',
  tags: ['description'],
  summary: 'Stream the changes as server-sent events',
  responses: {
    200: {
      description:
        'Events named `change`, with the lists to read again: `{"kinds": ["payments", ...]}`. Comments keep the connection open. The stream ends with the sandbox.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    400: { $ref: '#/components/responses/Invalid' },
    503: {
      description: 'Too many listeners are connected.',
      content: json({ $ref: '#/components/schemas/Error' }),
    },
  },
};

const itself = {
  operationId: 'openapi.retrieve',
  tags: ['description'],
  summary: 'Get this description',
  responses: {
    200: { description: 'OpenAPI 3.1.', content: json({ type: 'object' }) },
    400: { $ref: '#/components/responses/Invalid' },
  },
};
