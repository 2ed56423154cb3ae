import type { Choice } from './choice.js';
import type { Option } from './option.js';
import type { AnswerName } from './statuses.js';

/** The options that are read elsewhere, or by a reader for all of them. */
type OtherOption =
  | `statuses.${AnswerName}`
  | `submerchantUpdates.${'fees' | 'bankAccount'}`
  | 'errorBody'
  | 'features'
  | 'fieldNames'
  | 'seed'
  | 'signature';

/** A choice as it is declared: an option has its own. */
export type ChoiceEntry =
  // biome-ignore lint/suspicious/noExplicitAny: an option of any type
  | Option<any, unknown>
  | (Omit<Choice, 'option'> & ({ readonly option: OtherOption } | { readonly fixed: string }));
