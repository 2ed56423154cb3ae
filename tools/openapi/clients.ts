/** The API document of a generated client, and the platform that it calls. */
interface Target {
  /** The path of the OpenAPI file. */
  readonly document: string;
  readonly baseUrl: string;
  /** The merchant's credentials, as headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A generator of clients, with a program that pays with the generated client. */
export interface ClientGenerator {
  readonly name: string;
  command(target: Target): readonly [bin: string, ...args: string[]];
  files(target: Target): Readonly<Record<string, string>>;
}

/** The payment's idempotency key. */
export const key = 'order-1042';

/**
 * The order that every program pays. It is written into the programs, so that the compiler checks it against
 * the generated types.
 */
const order = JSON.stringify({
  externalId: key,
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza', document: { number: '52998224725', type: 'cpf' } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
});

const check =
  "if (data === undefined || data.paymentMethod !== 'pix') throw new Error(JSON.stringify(error));\n";

const withKey = ({ headers }: Target) => JSON.stringify({ ...headers, 'x-idempotency-key': key });

export const clientGenerators: readonly ClientGenerator[] = [
  {
    name: 'openapi-typescript, openapi-fetch',
    command: ({ document }) => ['openapi-typescript', document, '--output', 'schema.ts'],
    files: ({ baseUrl, headers }) => ({
      'pay.ts': `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const client = createClient<paths>({ baseUrl: '${baseUrl}', headers: ${JSON.stringify(headers)} });
const params = { header: { 'x-idempotency-key': '${key}' } };
const { data, error } = await client.POST('/v1/payments', { params, body: ${order} });
${check}`,
    }),
  },
  {
    name: '@hey-api/openapi-ts',
    command: ({ document }) => ['openapi-ts', '--input', document, '--output', 'client'],
    files: (target) => ({
      'pay.ts': `import { paymentsCreate } from './client';
import { client } from './client/client.gen';
client.setConfig({ baseUrl: '${target.baseUrl}' });
const { data, error } = await paymentsCreate({ headers: ${withKey(target)}, body: ${order} });
${check}`,
    }),
  },
  {
    name: 'orval',
    command: () => ['orval', '--config', 'orval.config.mjs'],
    files: (target) => ({
      'orval.config.mjs': `const output = { target: 'client.ts', client: 'fetch', baseUrl: '${target.baseUrl}' };
export default { platform: { input: '${target.document}', output } };
`,
      'pay.ts': `import { paymentsCreate } from './client';
const response = await paymentsCreate(${order}, { headers: ${withKey(target)} });
if (response.status === 400 || response.status === 401 || response.status === 409) throw response.data;
const { data, error } = { data: response.data, error: undefined };
${check}`,
    }),
  },
];
