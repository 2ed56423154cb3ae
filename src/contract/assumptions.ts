import { assumptions as generated } from './generated/assumptions.js';
import type { Place, WireName } from './overrides.js';

/** A key of the client option `fieldNames`. */
export type FieldName = keyof typeof generated;

/**
 * Wire names by key, where they differ from the defaults: a name, a path into objects (`data.access_token`), or
 * one for each place where the field is used: `{ request: 'split_rules', response: 'data.split' }`.
 */
export type FieldNames = { readonly [Name in FieldName]?: WireName | undefined };

/** A field name that the API document does not state, with the name that the SDK assumes and the reason for it. */
export interface Assumption {
  /** The name in the SDK. */
  readonly property: string;
  /** The name on the wire, unless `fieldNames` says otherwise. */
  readonly wire: string;
  /** Where the name is used. */
  readonly in: readonly Place[];
  /** Why this name: what the API document says of the field. */
  readonly reason: string;
}

/**
 * Every field name that the API document does not state, by the key with which the client option
 * `fieldNames` overrides it.
 */
export const assumptions: Readonly<Record<FieldName, Assumption>> = Object.freeze(generated);
