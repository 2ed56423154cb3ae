import { createHash } from 'node:crypto';
import { isRecord } from '../../input/record.js';

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
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

/** A digest of a JSON value that does not depend on the order of keys. */
export function payloadDigest(value: unknown): string {
  return sha256(canonical(value));
}
