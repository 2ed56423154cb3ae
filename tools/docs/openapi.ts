import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { transactionEvents } from '../../src/contract/events.js';
import { namespaces, operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import { type Examples, recordExamples } from './examples.js';
import { operationItem } from './operation-item.js';
import { describeErrorResponses, describeResponseHeaders } from './responses.js';
import { namedSchemas, type Schema } from './schemas.js';

/** The parts of the document that are written by hand. */
interface Words {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly security: readonly Schema[];
  readonly webhooks: Schema;
  readonly components: Schema & {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
    readonly schemas: Schema;
  };
}

/** Reads openapi.yaml, with the values of the names in braces. */
function readWords(): Words {
  const values: Readonly<Record<string, unknown>> = { ...limits, transactionEvents };
  const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
  return parse(
    text.replaceAll(/\{(\w+)\}/g, (all, name) => (name in values ? JSON.stringify(values[name]) : all)),
  );
}

/** Builds an OpenAPI 3.1 document of the whole API. */
export async function openapiDocument(): Promise<Schema> {
  const recorded = await recordExamples();
  const { openapi, info, servers, security, webhooks, components } = readWords();
  const { securitySchemes, parameters, responses, schemas } = components;
  return {
    openapi,
    info,
    servers,
    security,
    tags: Object.entries(namespaces).map(([name, text]) => ({ name, description: text })),
    paths: paths(recorded.examples),
    webhooks,
    components: {
      securitySchemes,
      parameters,
      headers: describeResponseHeaders(),
      responses: describeErrorResponses(responses, recorded.errors),
      schemas: { ...namedSchemas(), ...schemas },
    },
  };
}

function paths(examples: Examples): Schema {
  const items: Record<string, Schema> = {};
  for (const operation of operations) {
    items[operation.path] = {
      ...items[operation.path],
      [operation.method.toLowerCase()]: operationItem(operation, examples[operation.id]),
    };
  }
  return items;
}
