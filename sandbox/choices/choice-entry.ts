import type { Choice } from './choice.js';
import type { Option } from './option.js';
import type { AnswerName } from './statuses.js';

/** Options that are declared elsewhere, or are only a part of one. */
type OtherOption =
  | `statuses.${AnswerName}`
  | `submerchantUpdates.${'fees' | 'bankAccount'}`
  | 'errorBody'
  | 'features'
  | 'fieldNames'
  | 'seed'
  | 'signature';

/** A choice as it is declared: the choice of an option, or a choice with its own text. */
export type ChoiceEntry =
  // biome-ignore lint/suspicious/noExplicitAny: an option of any type
  | Option<any, unknown>
  | (Omit<Choice, 'option'> & ({ readonly option: OtherOption } | { readonly fixed: string }));
