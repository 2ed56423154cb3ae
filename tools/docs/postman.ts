import { createSamples } from '../../sandbox/testing/samples/samples.js';
import { getOperation, namespaces, type OperationId, operations } from '../../src/contract/index.js';
import { findSchemas } from '../../src/contract/schemas.js';
import { isRecord } from '../../src/validation/record.js';
import { type Example, type Examples, recordExamples } from './examples.js';
import type { AnyOperation, Schema } from './schemas.js';

const description = `The public API of the payment platform, generated from the contract of the SDK (\`npm run generate\`).

Start a sandbox with these credentials, then run the collection from top to bottom:

    SANDBOX_CLIENT_ID=shop SANDBOX_CLIENT_SECRET=shop-secret npx payment-platform sandbox

Requests whose names start with "Sandbox:" control the sandbox. The platform does not have them.`;

const variables = { baseUrl: 'http://127.0.0.1:4010', clientId: 'shop', clientSecret: 'shop-secret' };

/** The variables that connect a request with other requests. */
interface Links {
  /** Variables by path parameter. Default: the parameter's name, and `paymentId` for the `id` of a payment. */
  readonly path?: Readonly<Record<string, string>>;
  /** Variables by field of the body. */
  readonly body?: Readonly<Record<string, string>>;
  /** Response fields, by the variable that they set. */
  readonly saves?: Readonly<Record<string, string>>;
}

const links: Readonly<Partial<Record<OperationId, Links>>> = {
  'payments.create': { saves: { paymentId: 'id' } },
  'payments.boleto': { path: { id: 'boletoId' } },
  'submerchants.create': { saves: { internalId: 'internalId' } },
  'submerchants.withdrawals.create': {
    body: { internalId: 'internalId' },
    saves: { withdrawId: 'withdraw_id' },
  },
  'onboarding.submitPf': { saves: { registrationId: 'registration_id' } },
  'certificates.activate': { body: { certificate: 'certificate' } },
  'webhooks.create': { saves: { webhookId: 'id' } },
  'oauth.token': { body: { client_id: 'clientId', client_secret: 'clientSecret' } },
};

/** Builds a Postman collection (v2.1) of the whole API. Run in order, it passes in a new sandbox. */
export async function postmanCollection(): Promise<Schema> {
  const { examples } = await recordExamples();
  const before = requestsBefore(examples);
  return {
    info: {
      name: 'Payment Platform',
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: Object.entries(namespaces).map(([name, text]) => ({
      name,
      description: text,
      item: operations
        .filter(({ id }) => id.startsWith(`${name}.`))
        .flatMap(({ id }) => [
          ...(before[id] ?? []),
          operationRequest(getOperation(id), examples[id], links[id]),
        ]),
    })),
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  };
}

/** Returns the additional requests that come before each operation that needs them. */
function requestsBefore(examples: Examples): Partial<Record<OperationId, readonly Schema[]>> {
  const pix = examples['payments.create']?.request;
  const boleto = { ...(isRecord(pix) && pix), externalId: 'order-1043', paymentMethod: 'boleto' };
  const create = operationRequest(
    getOperation('payments.create'),
    { request: boleto },
    { saves: { boletoId: 'id' } },
  );
  return {
    'payments.boleto': [
      sandboxRequest('the customer pays the Pix', 'payments/{{paymentId}}/pay'),
      { ...create, name: 'Create a boleto' },
    ],
    'certificates.list': [
      sandboxRequest('create a signing request', 'certificates', {
        saves: { certificateId: 'id', signingRequest: 'signingRequestPem' },
      }),
      sandboxRequest('issue its certificate', 'certificates/issue', {
        body: { signingRequestPem: 'signingRequest' },
        saves: { certificate: 'certificate' },
      }),
    ],
  };
}

function operationRequest(
  operation: AnyOperation,
  example: Example = {},
  { path, body, saves }: Links = {},
): Schema {
  const { summary, response } = findSchemas(operation.id);
  const fields = isRecord(example.request) ? { ...example.request, ...references(body) } : undefined;
  const headers = {
    ...(!operation.public && references({ 'client-id': 'clientId', 'client-secret': 'clientSecret' })),
    // The idempotency key of a payment is its `externalId`. All other idempotency keys must be UUIDs.
    ...(operation.idempotencyKey === 'optional' && { 'x-idempotency-key': fields?.externalId }),
    ...(operation.idempotencyKey === 'required' && { 'x-idempotency-key': '{{$guid}}' }),
  };
  return {
    name: summary,
    event: afterResponse([...documentedTests(operation), ...assignments(saves)]),
    request: {
      method: operation.method,
      header: pairs(headers),
      url: url(
        operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          reference(path?.[name] ?? toVariable(operation.id, name)),
        ),
      ),
      ...(fields && { body: requestBody(operation, fields) }),
    },
    response: response && isRecord(example.response) ? [savedResponse(example.response)] : [],
  };
}

/** Names the variable of a path parameter: `id` of `webhooks.update` is `webhookId`. */
const toVariable = (id: OperationId, parameter: string) =>
  parameter === 'id' ? `${id.split('.')[0]?.replace(/s$/, '')}Id` : parameter;

function sandboxRequest(does: string, path: string, { body, saves }: Links = {}): Schema {
  return {
    name: `Sandbox: ${does}`,
    event: afterResponse([tests.success, tests.json, ...assignments(saves)]),
    request: {
      method: 'POST',
      header: [],
      url: url(`/_sandbox/${path}`),
      ...(body && { body: jsonBody(references(body)) }),
    },
    response: [],
  };
}

const tests = {
  success: `pm.test('The status is a success', () => pm.response.to.be.success);`,
  json: `pm.test('The body is JSON', () => pm.response.to.have.jsonBody());`,
  pdf: `pm.test('The body is a PDF', () => pm.expect(pm.response.text()).to.match(/^%PDF/));`,
};

/** Tests the documented parts of a success response. Some bodies are undocumented. */
function documentedTests({ success, result }: AnyOperation): string[] {
  const status =
    success === undefined
      ? tests.success
      : `pm.test('The status is ${success}', () => pm.response.to.have.status(${success}));`;
  const body = { object: [tests.json], file: [tests.pdf], unspecified: [] }[result];
  return [status, ...body];
}

/** Stores response fields. They are escaped, because a PEM contains line breaks and is used inside JSON. */
const assignments = (saves: Links['saves'] = {}): string[] =>
  Object.entries(saves).map(
    ([name, field]) =>
      `pm.collectionVariables.set('${name}', JSON.stringify(String(pm.response.json().${field})).slice(1, -1));`,
  );

const afterResponse = (exec: readonly string[]) => [
  { listen: 'test', script: { type: 'text/javascript', exec } },
];

const reference = (name: string) => `{{${name}}}`;

const references = (names: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([field, name]) => [field, reference(name)]));

const pairs = (values: Schema) => Object.entries(values).map(([key, value]) => ({ key, value }));

const url = (path: string): Schema => ({
  raw: `{{baseUrl}}${path}`,
  host: ['{{baseUrl}}'],
  path: path.split('/').slice(1),
});

function requestBody({ encoding, public: isPublic }: AnyOperation, fields: Schema): Schema {
  if (encoding === 'multipart') return formBody(fields);
  // Postman encodes the values of a form, so credentials can contain quotes. It copies them into JSON unchanged.
  return isPublic ? { mode: 'urlencoded', urlencoded: pairs(fields) } : jsonBody(fields);
}

const jsonBody = (fields: Schema): Schema => ({
  mode: 'raw',
  raw: JSON.stringify(fields, undefined, 2),
  options: { raw: { language: 'json' } },
});

/** Builds a form whose files are part of the collection: Postman decodes their values from base64. */
function formBody(fields: Schema): Schema {
  const { cnhCompleta: pdf, selfie: jpg } = createSamples().onboarding.resend();
  const files = {
    pdf: { bytes: pdf, contentType: 'application/pdf' },
    jpg: { bytes: jpg, contentType: 'image/jpeg' },
  };
  const part = ([key, value]: [string, unknown]) => {
    const [, ending] = /^\w+\.(pdf|jpg)$/.exec(String(value)) ?? [];
    if (ending === undefined) return { key, value, type: 'text' };
    const { bytes, contentType } = files[ending as keyof typeof files];
    const content = Buffer.from(bytes as Uint8Array).toString('base64');
    return { key, value: content, type: 'file', fileName: value, contentType };
  };
  return { mode: 'formdata', formdata: Object.entries(fields).map(part) };
}

const savedResponse = (body: Schema): Schema => ({
  name: 'Example',
  header: [{ key: 'content-type', value: 'application/json' }],
  body: JSON.stringify(body, undefined, 2),
  _postman_previewlanguage: 'json',
});
