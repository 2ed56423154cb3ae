import { assumptions as generated } from './generated/assumptions.js';
import type { Place, WireName } from './overrides.js';

/** A key of the client option `fieldNames`. */
export type FieldName = keyof typeof generated;

/**
 * Wire names by key, for names that differ from the defaults: a name, a path into objects (`data.access_token`), or
 * a name per place: `{ request: 'split_rules', response: 'data.split' }`.
 */
export type FieldNames = { readonly [Name in FieldName]?: WireName | undefined };

/** A field name that the API docs do not state, with the name that the SDK assumes and the reason for it. */
export interface Assumption {
  /** The name in the SDK. */
  readonly property: string;
  /** The name on the wire, unless `fieldNames` says otherwise. */
  readonly wire: string;
  /** The places that use the name. */
  readonly in: readonly Place[];
  /** Why this name is assumed, from the API docs' description of the field. */
  readonly reason: string;
}

/** Every field name that the API docs leave open. The client option `fieldNames` overrides a name by its key. */
export const assumptions: Readonly<Record<FieldName, Assumption>> = Object.freeze(generated);
