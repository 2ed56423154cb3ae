import type { Option } from './option.js';
import type { SandboxDefault } from './sandbox-default.js';
import type { AnswerName } from './statuses.js';

/** Options that are declared elsewhere, or that are part of another option. */
type OtherOption =
  | `statuses.${AnswerName}`
  | `submerchantUpdates.${'fees' | 'bankAccount'}`
  | 'errorBody'
  | 'features'
  | 'fieldNames'
  | 'seed'
  | 'signature';

/** A declared default: part of an option, or on its own. */
export type DefaultEntry =
  // biome-ignore lint/suspicious/noExplicitAny: an option of any type
  | Option<any, unknown>
  | (Omit<SandboxDefault, 'option'> & ({ readonly option: OtherOption } | { readonly fixed: string }));
