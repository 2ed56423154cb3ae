import type { FieldNames } from '../../contract/assumptions.js';
import type { Credentials } from './merchant.js';

/** The signature of the standard `fetch`. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** What a client needs to use the sandbox in process. */
export interface SandboxClientOptions extends Credentials {
  baseUrl: string;
  fetch: SandboxFetch;
  /** Where the sandbox was given other names than the default ones. */
  fieldNames?: FieldNames;
}
