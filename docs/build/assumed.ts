import { type Assumption, assumptions, type FieldName } from '../../src/contract/assumptions.js';
import { type FieldTable, fieldsOf } from '../../src/contract/fields.js';
import type { Operation } from '../../src/contract/operation.js';

/** An assumed name with the key by which the client option `fieldNames` overrides it. */
export interface AssumedName extends Assumption {
  readonly key: string;
}

const entries = Object.entries(assumptions) as [FieldName, Assumption][];

export const assumedNames: readonly AssumedName[] = entries.map(([key, assumption]) => ({
  key,
  ...assumption,
}));

/** The names that a table assumes, those inside of other fields too. */
export function assumedIn(table: FieldTable | undefined): AssumedName[] {
  if (table === undefined) return [];
  const keys = new Set(Array.from(fieldsOf(table), ({ key }) => key));
  const ofPlace = assumedNames.filter(({ in: places }) => places.includes(table.place));
  return ofPlace.filter(({ key }) => keys.has(key));
}

/** Every name that an operation assumes. */
export function assumedBy({ fields = {} }: Pick<Operation, 'fields'>): AssumedName[] {
  return [fields.request, fields.query, fields.response].flatMap(assumedIn);
}

/** Says so in a sentence, for whoever reads the schema. */
export const assumedSentence = ({ key, reason }: AssumedName) =>
  `The name is assumed (fieldNames['${key}']). ${reason}`;
