import { type Assumption, assumptions } from '../../src/contract/assumptions.js';
import type { Operation } from '../../src/contract/operation.js';

/** An assumed name with the key by which the client option `fieldNames` overrides it. */
export interface AssumedName extends Assumption {
  readonly key: string;
}

export const assumedNames: readonly AssumedName[] = Object.entries(assumptions).map(([key, assumption]) => ({
  key,
  ...assumption,
}));

/** The names that an operation assumes in one place. */
export function assumedIn(
  { names }: Pick<Operation, 'names'>,
  place: AssumedName['in'][number],
): AssumedName[] {
  return assumedNames.filter(({ key, in: places }) => key.startsWith(`${names}.`) && places.includes(place));
}

/** Says so in a sentence, for whoever reads the schema. */
export const assumedSentence = ({ key, reason }: AssumedName) =>
  `The name is assumed (fieldNames['${key}']). ${reason}`;
