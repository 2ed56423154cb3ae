import { Buffer } from 'node:buffer';
import type { Sandbox, SandboxOptions, SandboxServer } from '../../index.js';
import { exchange, type RawReply, requestText } from '../raw-client.js';
import { sandboxForTest } from '../support.js';

export interface ControlReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The response's JSON; undefined for any other body. */
  body: Json;
}

/** Tests read responses without types. */
// biome-ignore lint/suspicious/noExplicitAny: the tests state their expectations
type Json = any;

export type ControlRequest = (
  request: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ControlReply>;

/** Sends requests such as `GET /payments`, each over its own socket. */
export function createControlRequest(server: Pick<SandboxServer, 'port'>): ControlRequest {
  return async (request, body, headers = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const text = body === undefined ? '' : JSON.stringify(body);
    const raw = await exchange(
      server,
      requestText(
        `${method} /_sandbox${path} HTTP/1.1`,
        {
          host: `127.0.0.1:${server.port}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        text,
      ),
    );
    return parsed(raw);
  };
}

export function parsed({ status, headers, body }: RawReply): ControlReply {
  const text = Buffer.from(body, 'latin1').toString();
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Creates a sandbox with a server, and the control API of both. */
export async function controlled(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; server: SandboxServer; requestControl: ControlRequest }> {
  const sandbox = sandboxForTest(options);
  const server = await sandbox.listen();
  return { sandbox, server, requestControl: createControlRequest(server) };
}

type Schema = Json;

/** Lists the paths of a value that violate a schema. */
export function departures(
  schema: Schema,
  value: Json,
  schemas: Record<string, Schema>,
  path = '',
): string[] {
  if (schema.$ref !== undefined) {
    return departures(schemas[schema.$ref.split('/').at(-1)], value, schemas, path);
  }
  const wrong = [`${path || '/'} is not ${schema.type ?? schema.enum}: ${JSON.stringify(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return wrong;
  switch (schema.type) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
      const missing = (schema.required ?? []).filter((name: string) => !(name in value));
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name in value);
      const unknown =
        schema.properties === undefined
          ? []
          : Object.keys(value).filter((name) => !(name in schema.properties));
      return [
        ...missing.map((name: string) => `${path}/${name} is missing`),
        ...unknown.map((name) => `${path}/${name} is not described`),
        ...fields.flatMap(([name, field]) => departures(field, value[name], schemas, `${path}/${name}`)),
      ];
    }
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => departures(schema.items, item, schemas, `${path}/${index}`))
        : wrong;
    case 'string':
      return typeof value === 'string' && new RegExp(schema.pattern ?? '').test(value) ? [] : wrong;
    case 'integer':
      return Number.isInteger(value) ? [] : wrong;
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong;
    default:
      return [];
  }
}
