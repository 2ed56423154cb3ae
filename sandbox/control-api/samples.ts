import type { KnownPaymentMethod } from '../../src/contract/payments/methods.js';
import { isBytes } from '../../src/validation/builtins.js';
import { isRecord } from '../../src/validation/record.js';
import { OptionsError } from '../arguments/checked-options.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { json } from '../http/responses.js';
import { methodBehaviours } from '../payments/methods.js';
import { Numbers } from '../random/numbers.js';
import type { OnboardingKind } from '../sellers/onboarding.js';
import { sampleCompany, samplePerson } from '../sellers/sample-forms.js';

const order = {
  amount: 1_990,
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  items: [{ title: 'Livro', quantity: 1, unitPrice: 1_990 }],
};

/**
 * Sends a request to the platform's API, so that the payment has all consequences of a merchant's request.
 *
 * @returns the payment, or a 409 that describes a fault's effect
 */
export async function requestSample(
  sandbox: Sandbox,
  paymentMethod: KnownPaymentMethod,
  fields: object = {},
): Promise<unknown> {
  const key = crypto.randomUUID();
  const body = merged({ ...order, paymentMethod, ...methodBehaviours[paymentMethod].sample }, fields);
  const { status, isOk, value } = await postAsMerchant(
    sandbox,
    '/v1/payments',
    { 'content-type': 'application/json', 'x-idempotency-key': key },
    JSON.stringify(body),
  );
  const payment = isOk ? value : undefined;
  return payment ?? explainMissingPayment(sandbox, key, status, value);
}

interface PlatformResponse {
  /** Undefined if a fault broke the connection. */
  readonly status: number | undefined;
  readonly isOk: boolean;
  /** Undefined for a body that is not JSON, or that broke off. */
  readonly value: unknown;
}

async function postAsMerchant(
  sandbox: Sandbox,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | FormData,
): Promise<PlatformResponse> {
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  const request = fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'client-id': clientId, 'client-secret': clientSecret, ...headers },
    body,
  });
  const response = await request.catch(() => undefined);
  const text = (await response?.text().catch(() => '')) ?? '';
  return { status: response?.status, isOk: response?.ok === true, value: parsed(text) };
}

/** With the platform's message, if the response has one. */
function describeRejection(status: number, value: unknown): string {
  const { error } = (value ?? {}) as { error?: { message?: unknown } };
  return `The request got a ${status}${typeof error?.message === 'string' ? `: ${error.message}` : '.'}`;
}

/**
 * Replaces list items by position.
 *
 * @throws OptionsError for a position beyond the first free one
 */
function merged(sample: unknown, fields: unknown, path = 'fields'): unknown {
  if (!isRecord(fields)) return fields;
  if (Array.isArray(sample)) rejectOtherPlaces(sample, fields, path);
  const entries = new Map(typeof sample === 'object' && sample !== null ? Object.entries(sample) : []);
  for (const [name, value] of Object.entries(fields))
    entries.set(name, merged(entries.get(name), value, `${path}.${name}`));
  return Array.isArray(sample) ? [...entries.values()] : Object.fromEntries(entries);
}

function rejectOtherPlaces(list: readonly unknown[], fields: object, path: string): void {
  const places = new Set(Array.from({ length: list.length + 1 }, (_, place) => String(place)));
  const issues = Object.keys(fields)
    .filter((name) => !places.has(name))
    .map((name) => ({ path: `${path}.${name}`, message: `must be an index from 0 to ${list.length}` }));
  if (issues.length > 0) throw new OptionsError('payments.sample', issues);
}

function explainMissingPayment(
  { ledger, control }: Sandbox,
  key: string,
  status: number | undefined,
  value: unknown,
): Response {
  const conflict = (code: string, message: string, more: object = {}) =>
    json(409, { error: { code, message, issues: [], ...more } });
  const [charge] = ledger.chargesFor(key);
  if (charge !== undefined) {
    const { paymentId } = charge;
    return conflict(
      'response_lost',
      `A fault affected the response. The payment was created: ${paymentId}.`,
      {
        paymentId,
      },
    );
  }
  if (control.payments.unresolved().some(({ idempotencyKey }) => idempotencyKey === key)) {
    return conflict(
      'outcome_unknown',
      'The acquirer did not respond. Decide whether the payment was created.',
    );
  }
  if (status === undefined) {
    return conflict('connection_broken', 'A fault broke the connection. The payment was not created.');
  }
  return conflict('refused', `The payment was not created. ${describeRejection(status, value)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the registration, or a 409 that describes why there is none */
export async function submitSampleSeller(sandbox: Sandbox, kind: OnboardingKind): Promise<unknown> {
  // A registration uses at most two numbers. Skipping two for each registration keeps every CPF and CNPJ
  // unique.
  const numbers = new Numbers(2 * sandbox.control.onboarding.list().length);
  const form = toForm(kind === 'pf' ? samplePerson(numbers) : sampleCompany(numbers));
  const { status, isOk, value } = await postAsMerchant(
    sandbox,
    `/v2/submerchants/onboarding/${kind}`,
    { 'x-idempotency-key': crypto.randomUUID() },
    form,
  );
  const { registration_id: id } = (value ?? {}) as { registration_id?: unknown };
  if (isOk && typeof id === 'string') return sandbox.control.onboarding.retrieve(id);
  const cause = status === undefined ? 'A fault broke the connection.' : describeRejection(status, value);
  const message = `The registration was not submitted. ${cause}`;
  return json(409, { error: { code: 'refused', message, issues: [] } });
}

/** Sends files as files, and objects as JSON. */
function toForm(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (isBytes(value)) form.set(name, new Blob([new Uint8Array(value)]), name);
    else form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
