import { shapes } from '../../src/contract/generated/shapes.js';
import type { OperationId } from '../../src/contract/index.js';
import {
  type Assumption,
  assumptions,
  type FieldName,
  listKeys,
  type Place,
} from '../../src/contract/overrides.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';

/** An assumed name, with its key in the `fieldNames` client option. */
export interface AssumedName extends Assumption {
  readonly key: string;
}

const entries = Object.entries(assumptions) as [FieldName, Assumption][];

export const assumedNames: readonly AssumedName[] = entries.map(([key, assumption]) => ({
  key,
  ...assumption,
}));

/** Lists the assumed names in a body or a query, including nested ones. */
export function assumedIn(shape: RuntimeSchema | undefined, place: Place): AssumedName[] {
  const keys = shape === undefined ? [] : listKeys(shape);
  return assumedNames.filter((name) => keys.includes(name.key) && name.in.includes(place));
}

/** Lists every name that an operation assumes. */
export function assumedBy({ id }: { readonly id: OperationId }): AssumedName[] {
  const { request, query, response } = shapes[id];
  return [...assumedIn(request, 'request'), ...assumedIn(query, 'query'), ...assumedIn(response, 'response')];
}

/** Explains an assumed name to readers of the schema. */
export const assumedSentence = ({ key, reason }: AssumedName) =>
  `The name is assumed (fieldNames['${key}']). ${reason}`;
