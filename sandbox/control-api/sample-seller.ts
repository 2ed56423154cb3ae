import { isBytes } from '../../src/validation/builtins.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { json } from '../http/responses.js';
import { Numbers } from '../random/numbers.js';
import type { OnboardingKind } from '../sellers/onboarding.js';
import { sampleCompany, samplePerson } from '../sellers/sample-forms.js';

/** @returns the registration, or a 409 that describes why there is none */
export async function submitSampleSeller(sandbox: Sandbox, kind: OnboardingKind): Promise<unknown> {
  // A registration uses at most two numbers. Skipping two for each registration keeps every CPF and CNPJ
  // unique.
  const numbers = new Numbers(2 * sandbox.control.onboarding.list().length);
  const form = toForm(kind === 'pf' ? samplePerson(numbers) : sampleCompany(numbers));
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  const request = fetch(`${baseUrl}/v2/submerchants/onboarding/${kind}`, {
    method: 'POST',
    headers: {
      'client-id': clientId,
      'client-secret': clientSecret,
      'x-idempotency-key': crypto.randomUUID(),
    },
    body: form,
  });
  const response = await request.catch(() => undefined);
  const text = (await response?.text().catch(() => '')) ?? '';
  const { registration_id: id, error } = parsed(text);
  if (response?.ok && typeof id === 'string') return sandbox.control.onboarding.retrieve(id);
  return createRejection(response?.status, error?.message);
}

interface ResponseBody {
  readonly registration_id?: unknown;
  readonly error?: { readonly message?: unknown };
}

function createRejection(status: number | undefined, reason: unknown): Response {
  const cause =
    status === undefined
      ? 'A fault broke the connection.'
      : `The request got a ${status}${typeof reason === 'string' ? `: ${reason}` : '.'}`;
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

function parsed(text: string): ResponseBody {
  try {
    return (JSON.parse(text) ?? {}) as ResponseBody;
  } catch {
    return {};
  }
}
