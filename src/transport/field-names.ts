import { assumptions, type FieldName, type FieldNames } from '../contract/assumptions.js';
import { isRecord } from '../contract/record.js';

/** Pairs of [from, to]. */
type Renames = readonly (readonly [string, string])[];

/** Where the wire differs from the SDK. Empty lists, and no work at all, unless `fieldNames` was given. */
export interface WireNames {
  readonly payment: { readonly outward: Renames; readonly inward: Renames };
  /** The header, in lower case, that carries the platform's identifier of a request. */
  readonly requestIdHeader: string;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Checks `fieldNames`, adding what is wrong with it to `problems`. */
export function resolveFieldNames(fieldNames: FieldNames, problems: string[]): WireNames {
  const outward: (readonly [string, string])[] = [];
  const inward: (readonly [string, string])[] = [];
  let requestIdHeader: string = assumptions['response.requestId'].wire;
  if (!isRecord(fieldNames)) problems.push('fieldNames must be an object');
  else {
    for (const [key, wire] of Object.entries(fieldNames)) {
      if (!Object.hasOwn(assumptions, key)) {
        problems.push(`fieldNames: ${key} is no key (the keys are ${Object.keys(assumptions).join(', ')})`);
      } else if (typeof wire !== 'string' || !plainName.test(wire) || wire === '__proto__') {
        problems.push(`fieldNames: ${key} must be a plain name`);
      } else if (key === 'response.requestId') {
        requestIdHeader = wire.toLowerCase();
      } else {
        const { property, in: sides } = assumptions[key as FieldName];
        if (property === wire) continue;
        if ((sides as readonly string[]).includes('request')) outward.push([property, wire]);
        if ((sides as readonly string[]).includes('response')) inward.push([wire, property]);
      }
    }
  }
  return Object.freeze({ payment: Object.freeze({ outward, inward }), requestIdHeader });
}

/**
 * Renames top-level properties in place; the caller owns `body`. All values are lifted out before
 * any is put back, so that two names may trade places.
 */
export function rename(body: Record<string, unknown>, renames: Renames): void {
  const lifted: [string, unknown][] = [];
  for (const [from, to] of renames) {
    if (Object.hasOwn(body, from)) {
      lifted.push([to, body[from]]);
      delete body[from];
    }
  }
  for (const [name, value] of lifted) body[name] = value;
}
