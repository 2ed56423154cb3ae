import type { SampleParts } from './operation-record.js';

/** Creates an active sub-account with a CPF or CNPJ. */
export async function createSubAccount({ platform, samples }: SampleParts) {
  const form = samples.submerchants.create();
  const { internalId } = await platform.submerchants.create<{ internalId: string }>(form);
  return { internalId, document: String(form.documentNumber) };
}
