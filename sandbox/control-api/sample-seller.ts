import { isBytes } from '../../src/validation/builtins.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { json } from '../http/responses.js';
import { Numbers } from '../random/numbers.js';
import type { OnboardingKind } from '../sellers/onboarding.js';
import { sampleCompany, samplePerson } from '../sellers/sample-forms.js';
import { describeRejection, postAsMerchant } from './sample-payment.js';

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
