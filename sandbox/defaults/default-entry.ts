import type { Option } from './option.js';
import type { SandboxDefault } from './sandbox-default.js';
import type { ResponseName } from './statuses.js';

/** Options that are not an `Option` in the files of this folder, or that are only a part of one. */
type OtherOption =
  | `statuses.${ResponseName}`
  | `submerchantUpdates.${'fees' | 'bankAccount'}`
  | 'errorBody'
  | 'features'
  | 'fieldNames'
  | 'seed'
  | 'signature';

export type DefaultEntry =
  // biome-ignore lint/suspicious/noExplicitAny: an option of any type
  | Option<any, unknown>
  | (Omit<SandboxDefault, 'option'> & ({ readonly option: OtherOption } | { readonly fixed: string }));
