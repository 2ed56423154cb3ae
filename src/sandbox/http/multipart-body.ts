import { partsOf } from '#multipart-parts';
import type { Part } from './multipart-parts.js';
import type { RequestBody } from './request-body.js';

/** Reads a form. If it is malformed, the result has an objection instead of a value. */
export async function readMultipart(contentType: string, bytes: Uint8Array): Promise<RequestBody> {
  try {
    const parts = await partsOf(contentType, bytes);
    return { encoding: 'multipart', value: fieldsOf(parts) };
  } catch (error) {
    const objection = `The body is not valid multipart/form-data: ${(error as Error).message}.`;
    return { encoding: 'multipart', value: undefined, objection };
  }
}

function fieldsOf(parts: readonly [name: string, value: Part][]): Record<string, Part | Part[]> {
  const fields = new Map<string, Part | Part[]>();
  for (const [name, value] of parts) {
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}
