import { transactionEvents } from '../../src/contract/events.js';
import { namespaces, operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import { type Examples, recordExamples } from './examples.js';
import { operationItem } from './operation-item.js';
import { describeErrorResponses, describeResponseHeaders, errorSchema } from './responses.js';
import { namedSchemas, type Schema } from './schemas.js';

const description = `The public API of the payment platform, generated from the contract of the SDK (\`npm run generate\`).

If the API docs leave a name open, the SDK assumes one. Each is marked with \`x-assumed\`, whose value is the key of the \`fieldNames\` client option that overrides it, and all of them are in assumptions.md. Operations that the API docs mention without a path are not here: see undocumented.md.

Every operation takes the headers client-id and client-secret. Bearer tokens are an alternative; which operations accept them is undocumented.

\`x-replay\` says when the SDK holds sending a request twice to be harmless: \`natural\`: always; \`keyed\`: with the same x-idempotency-key; \`never\`: not that the API docs show it.`;

/** Builds an OpenAPI 3.1 document of the whole API. */
export async function openapiDocument(): Promise<Schema> {
  const recorded = await recordExamples();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment Platform Public API',
      version: '1.0.0',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The maintainers of payment-platform' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'Production or staging. The API docs state no addresses: ask the platform.',
        variables: { baseUrl: { default: 'https://api.platform.example' } },
      },
    ],
    security: [{ clientId: [], clientSecret: [] }, { bearer: [] }],
    tags: Object.entries(namespaces).map(([name, text]) => ({ name, description: text })),
    paths: paths(recorded.examples),
    webhooks: { notification: notification() },
    components: {
      securitySchemes: securitySchemes(),
      parameters: {
        IdempotencyKey: {
          ...keyHeader,
          description: 'A UUID v4 is recommended. Without it every request creates a new charge.',
          schema: { type: 'string', maxLength: limits.idempotencyKeyLength },
        },
        RequiredIdempotencyKey: {
          ...keyHeader,
          required: true,
          description:
            'UUID v4. The same key with the same payload returns the first response. When you onboard an individual, the key becomes the externalId of the sub-account.',
          schema: { type: 'string', format: 'uuid' },
        },
      },
      headers: describeResponseHeaders(),
      responses: describeErrorResponses(recorded.errors),
      schemas: { ...namedSchemas(), Error: errorSchema },
    },
  };
}

const keyHeader = { name: 'x-idempotency-key', in: 'header' };

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

function securitySchemes(): Schema {
  return {
    clientId: {
      type: 'apiKey',
      in: 'header',
      name: 'client-id',
      description: "Public identifier of the merchant's credential.",
    },
    clientSecret: {
      type: 'apiKey',
      in: 'header',
      name: 'client-secret',
      description: 'The secret of the credential: never in client-side code or a public repository.',
    },
    bearer: {
      type: 'oauth2',
      description: `A token of POST /oauth/token, valid for ${limits.oauthTokenSeconds} seconds.`,
      flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } },
    },
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'client_id and client_secret, for POST /oauth/token only.',
    },
  };
}

function notification(): Schema {
  const header = (name: string, text: string) => ({
    name,
    in: 'header',
    description: `${text} Sent when the endpoint has a secret.`,
    schema: { type: 'string' },
  });
  return {
    post: {
      operationId: 'notification',
      summary: 'A notification to a registered endpoint',
      description: `In the API docs: Events. Any response other than 2xx, or none within ${limits.webhookTimeoutSeconds} seconds, is a failure, followed by up to ${limits.webhookResends} resends. A notification can come again: receivers must be idempotent.`,
      tags: ['webhooks'],
      security: [],
      parameters: [
        header(
          'X-Service-Timestamp',
          `When it was signed: refuse it when that is more than ${limits.webhookToleranceSeconds} seconds away. Its unit is undocumented.`,
        ),
        header(
          'X-Service-Signature',
          'HMAC-SHA256 over the timestamp, a dot and the body exactly as sent. Its encoding is undocumented.',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              description: 'Fields other than event and boleto.digitableLine are undocumented.',
              required: ['event'],
              properties: {
                event: {
                  type: 'string',
                  description: 'New types are added at any time: ignore those you do not process.',
                  examples: [...transactionEvents],
                },
                boleto: {
                  type: 'object',
                  description: 'For boleto payments.',
                  properties: { digitableLine: { type: 'string' } },
                },
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'Received.' } },
    },
  };
}
