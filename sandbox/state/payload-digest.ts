import { sha256Hash } from '#sandbox-runtime';
import { isRecord } from '../../src/validation/record.js';
import { toHex } from '../runtime/bytes.js';

export function sha256(content: string | Uint8Array): string {
  return toHex(sha256Hash().update(content).digest());
}

/** JSON with the keys of every object sorted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${fields.join(',')}}`;
}

export function computePayloadDigest(value: unknown): string {
  return sha256(canonical(value));
}
