import type { ControlClient } from '../control-client.js';
import { requireThisMachine } from '../http-url.js';
import { asJson, asList, asUntrustedPart } from './results.js';
import { type Arguments, defineTool, type Effect, offsetOf, type Tool } from './tool.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
}

interface JsonContent {
  readonly 'application/json'?: {
    readonly schema: { readonly properties?: Readonly<Record<string, object>>; readonly required?: string[] };
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
}

/** The sandbox's description of its control API. */
export interface ControlApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * The operations that are not tools: streams, files, the description, and the operations that return a client
 * secret.
 */
const excluded = /^(events|openapi|credentials|merchants)\.|\.boleto$|\.document$/;

/** The fields that make the sandbox connect to an address, which must be on this machine. */
const addresses: Readonly<Record<string, string>> = { 'endpoints.register': 'url', 'domains.verify': 'from' };

/** The maximum number of items that a list of the control API returns at once. */
const longestList = 1_000;

/** Creates tools for the operations of a running sandbox's control API. */
export function sandboxTools({ paths }: ControlApi, client: ControlClient): Tool[] {
  return Object.entries(paths).flatMap(([address, operations]) => {
    const path = address.replace(/^\/_sandbox/, '');
    return Object.entries(operations)
      .filter(([, { operationId }]) => !excluded.test(operationId))
      .map(([method, operation]) => toTool(method.toUpperCase(), path, operation, client));
  });
}

function toTool(method: string, path: string, operation: Operation, client: ControlClient): Tool {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const own = parameters.filter(({ name }) => name !== 'limit' && name !== 'before');
  const body = requestBody?.content['application/json']?.schema ?? {};
  const fields = Object.entries(body.properties ?? {});
  const described = ({ name, description, schema }: Parameter) => [name, { description, ...schema }] as const;
  const address = addresses[operationId];
  const mandatory = (name: string) => name === address || body.required?.includes(name) === true;
  const described200 = responses[200]?.description ?? '';
  const description = [summary, described200.replace('the newest last', 'the newest first')].join('. ');
  return defineTool(
    operationId.replaceAll('.', '_'),
    description.trim().replace(/\.*$/, '.'),
    effectOf(method, operationId),
    {
      required: Object.fromEntries([
        ...own.filter(({ required }) => required).map(described),
        ...fields.filter(([name]) => mandatory(name)),
      ]),
      optional: Object.fromEntries([
        ...own.filter(({ required }) => !required).map(described),
        ...fields.filter(([name]) => !mandatory(name)),
      ]),
      isLong: method === 'GET',
    },
    async (input) => {
      if (address !== undefined) requireThisMachine(address, String(input[address]));
      const target = fill(
        path,
        own,
        input,
        parameters.some(({ name }) => name === 'limit'),
      );
      const sent = Object.fromEntries(
        fields.flatMap(([name]) => (name in input ? [[name, input[name]]] : [])),
      );
      const text = await client.send(`${method} ${target}`, requestBody && sent);
      return show(text, offsetOf(input), described200.includes('newest last'));
    },
  );
}

const effectOf = (method: string, operationId: string): Effect => {
  if (method === 'GET') return 'reads';
  return method === 'DELETE' || operationId === 'sandbox.reset' ? 'deletes' : 'changes';
};

/** Fills the path and the query of an operation. */
function fill(path: string, parameters: readonly Parameter[], input: Arguments, hasLimit: boolean): string {
  const query = new URLSearchParams(hasLimit ? { limit: String(longestList) } : {});
  let target = path;
  for (const { name, in: place } of parameters) {
    const value = input[name];
    if (value === undefined) continue;
    if (place === 'query') query.set(name, String(value));
    // An empty segment, `.` or `..` would lead to another path.
    else if (/^\.{0,2}$/.test(String(value))) throw new Error(`${name} must be an id.`);
    else target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  return query.size === 0 ? target : `${target}?${query}`;
}

function show(text: string, offset: number, isNewestLast: boolean): string {
  if (text === '') return 'Done.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return asUntrustedPart(text, offset);
  }
  const { data } = value as { data?: unknown };
  if (!Array.isArray(data)) return asJson(value, offset);
  return asList(isNewestLast ? data.toReversed() : data, offset);
}
