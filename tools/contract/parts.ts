/** Lists the parts that an operation lacks, before they are compiled: a line for each, with the file to change. */
import { createHandlers } from '../../sandbox/http/all-handlers.js';
import type { AccessTokens } from '../../sandbox/merchants/access-tokens.js';
import type { Merchants } from '../../sandbox/merchants/merchants.js';
import { PaymentPlatform } from '../../src/client.js';
import { operations } from '../../src/contract/index.js';
import { builders, findSchemas } from '../../src/contract/schemas.js';
import { operationRecords } from '../../test/operations/index.js';

const platform = new PaymentPlatform({
  baseUrl: 'https://api.platform.example',
  clientId: 'id',
  clientSecret: 'secret',
});
// Only the names of the handlers are read.
const handlers = createHandlers({} as Merchants, {} as AccessTokens);

const hasMethod = (id: string) =>
  id
    .split('.')
    .reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], platform) !==
  undefined;

const missing = operations.flatMap(({ id }) => {
  const namespace = id.split('.')[0];
  const hasSchemas = id in builders;
  const isCalled = !hasSchemas || findSchemas(id).through === undefined;
  const parts: readonly (readonly [isThere: boolean, part: string])[] = [
    [hasSchemas, `schemas in src/contract/${namespace}/schemas.ts`],
    [!isCalled || hasMethod(id), `method in src/resources/${namespace}.ts`],
    [id in handlers, 'handler in sandbox/http/handlers/'],
    [id in operationRecords, `record in test/operations/${namespace}.ts`],
  ];
  return parts.flatMap(([isThere, part]) => (isThere ? [] : [`${id} has no ${part}.`]));
});
process.stdout.write(JSON.stringify(missing));
