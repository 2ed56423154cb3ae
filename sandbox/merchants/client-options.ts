import type { FieldNames } from '../../src/contract/overrides.js';
import type { Checks } from '../../src/contract/sdk-checks.js';
import type { Credentials } from './merchant.js';

/** The signature of the standard `fetch`. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** Options for a client that uses the sandbox in the same process. */
export interface SandboxClientOptions extends Credentials {
  /** The base address. `fetch` ignores its host. */
  baseUrl: string;
  /** Responds to requests in this process. No socket is opened. */
  fetch: SandboxFetch;
  /** The sandbox's option `fieldNames`, if set. */
  fieldNames?: FieldNames;
  /** The sandbox's option `checks`, if set. */
  checks?: Checks;
}
