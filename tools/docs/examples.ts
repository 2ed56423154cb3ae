// Records one exchange per operation between the client and a sandbox, for the examples in the OpenAPI file.

import { createSandbox, type Sandbox, testNames } from '../../sandbox/index.js';
import { createSamples } from '../../sandbox/testing/samples/samples.js';
import { PaymentPlatform } from '../../src/client.js';
import { shapes } from '../../src/contract/generated/shapes.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import { isPaymentPlatformError } from '../../src/errors/base.js';
import { isRecord } from '../../src/validation/record.js';
import { operationRecords } from '../../test/operations/index.js';

/** The JSON bodies of a request and its response. */
export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** The examples of the operations. */
export type Examples = Readonly<Partial<Record<OperationId, Example>>>;

/** The bodies of the sandbox's errors, by the error's `code`. */
export type ErrorExamples = Readonly<Record<string, unknown>>;

const start = '2026-01-02T03:04:05.000Z';

/** Records the calls. The sandbox has a seed and a frozen clock, so the result is always the same. */
export async function recordExamples(): Promise<{
  readonly examples: Examples;
  readonly errors: ErrorExamples;
}> {
  const sandbox = createSandbox({ seed: 1, now: start, ...documentedStatuses });
  const options = sandbox.clientOptions();
  const examples: Partial<Record<OperationId, Example>> = {};
  const errors: Record<string, unknown> = {};
  const record = async (request: Request) => {
    const copy = request.clone();
    const response = await (options.fetch ?? fetch)(request);
    const body = await readJson(response.clone());
    if (response.status >= 400) errors[codeOf(body)] = body;
    else {
      const id = findOperation(request);
      if (id !== undefined)
        examples[id] ??= { request: await readBody(copy), response: withoutUndocumented(id, body) };
    }
    return response;
  };
  const platform = new PaymentPlatform({
    ...options,
    auth: 'oauth',
    maxRetries: 0,
    fetch: (input, init) => record(new Request(input, init)),
  });
  await callEveryOperation(platform, sandbox);
  await sandbox.close();
  for (const [id, { wire }] of Object.entries(operationRecords))
    examples[id as OperationId] ??= { request: wire.json, response: wire.response };
  return { examples, errors };
}

/** A sandbox with this option returns no status that the API docs lack. */
export const documentedStatuses = { statuses: { acquirerUnknown: 409 } } as const;

/** Calls the operations of the platform's usual flows, then makes a rejected call for each documented error. */
export async function callEveryOperation(platform: PaymentPlatform, sandbox: Sandbox): Promise<void> {
  const { control } = sandbox;
  const samples = createSamples();
  const order = samples.payments.pix({ externalId: 'order-1042' });
  await platform.payments.create(order, { idempotencyKey: samples.key() });
  const boleto = await platform.payments.create(samples.payments.boleto());
  await platform.payments.boleto(String(boleto.id));
  const seller = await platform.submerchants.create(samples.submerchants.create());
  await platform.submerchants.update(String(seller.internalId), samples.submerchants.update());
  const { withdrawals } = platform.submerchants;
  const withdrawal = await withdrawals.create(samples.submerchants.withdrawal(String(seller.internalId)));
  await withdrawals.retrieve(Number(withdrawal.withdraw_id));
  const person = samples.onboarding.pf({ fullName: testNames.rejectedThenApproved });
  const { registration_id: registration } = await platform.onboarding.submitPf(person);
  await platform.onboarding.submitPj(samples.onboarding.pj());
  await platform.onboarding.status(registration);
  await platform.onboarding.resendDocuments(registration, samples.onboarding.resend());
  await platform.domains.register(samples.domains.register());
  await platform.domains.list();
  const { id, signingRequestPem } = await control.certificates.create();
  await platform.certificates.list();
  const { certificate } = await control.certificates.issue(signingRequestPem ?? '');
  await platform.certificates.activate(String(id), samples.certificates.activate(certificate));
  await platform.certificates.revoke(String(id));
  await platform.webhooks.create(samples.webhooks.register());
  const [endpoint] = (await platform.webhooks.list()).data;
  await platform.webhooks.update(String(endpoint?.id), samples.webhooks.update());
  await platform.vault.tokenize(samples.vault.tokenize());
  await callEveryError(platform, sandbox, samples);
}

async function callEveryError(
  platform: PaymentPlatform,
  { control, faults }: Sandbox,
  samples: ReturnType<typeof createSamples>,
): Promise<void> {
  await rejected(400, () => platform.payments.create(samples.payments.vault('unknown')));
  await rejected(404, () => platform.submerchants.withdrawals.retrieve(1));
  const stranger = platform.with({ clientId: 'unknown', clientSecret: 'unknown' });
  await rejected(401, () => stranger.webhooks.list({ auth: 'headers' }));
  control.features.disable('paas');
  await rejected(403, () => platform.onboarding.submitPj(samples.onboarding.pj()));
  control.features.enable('paas');
  const key = { idempotencyKey: samples.key() };
  faults.add({ fault: 'acquirer-unknown', operation: 'payments.create' });
  const pay = () => platform.payments.create(samples.payments.pix(), key);
  await rejected(409, pay);
  await rejected(409, pay);
  // Each sample differs, so the second call reuses the key with another payload.
  const createSeller = () => platform.submerchants.create(samples.submerchants.create(), key);
  await createSeller();
  await rejected(409, createSeller);
  await rejected(429, async () => {
    for (let requests = 0; requests < 10; requests++)
      await platform.submerchants.create(samples.submerchants.create());
  });
}

/**
 * Makes a call that must be rejected.
 *
 * @throws Error unless the call ends with this status
 */
async function rejected(status: number, call: () => Promise<unknown>): Promise<void> {
  const error: unknown = await call().then(
    () => new Error(`A call that must get ${status} succeeded.`),
    (reason) => reason,
  );
  if (!isPaymentPlatformError(error) || error.status !== status) throw error;
}

/** Removes fields that the sandbox adds and the API docs lack. */
function withoutUndocumented(id: OperationId, body: unknown): unknown {
  const fields = shapes[id].response?.fields;
  if (fields === undefined || !isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name)));
}

function findOperation({ method, url }: Request): OperationId | undefined {
  const { pathname } = new URL(url);
  const isCalled = (operation: { readonly method: string; readonly path: string }) =>
    operation.method === method &&
    new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  return operations.find(isCalled)?.id;
}

function codeOf(body: unknown): string {
  const { error } = body as { error: { code: string } };
  return error.code;
}

/** Replaces keys and certificates, which differ in every run. */
const withoutKeys = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, field) => {
    if (name === 'publicKeyFingerprint' && field !== null) return fingerprint;
    return typeof field === 'string'
      ? field.replace(/(-----BEGIN [^-]+-----)[^-]+(-----END)/g, '$1\n…\n$2')
      : field;
  });

/** The SHA-256 of an empty input, in base64. */
const fingerprint = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

async function readJson(response: Response): Promise<unknown> {
  return response.headers.get('content-type')?.includes('json')
    ? withoutKeys(await response.json())
    : undefined;
}

/** Reads a body's fields. A file is replaced by its name. */
async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.includes('json')) return withoutKeys(await request.json());
  if (!type.includes('form')) return undefined;
  const fields = [...(await request.formData())];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  );
}
