import type { FieldNames } from '../../src/contract/overrides.js';
import type { Checks } from '../../src/contract/sdk-checks.js';
import type { Credentials } from './merchant.js';

/** The signature of the standard `fetch`. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** Options of a client that uses the sandbox in the same process. */
export interface SandboxClientOptions extends Credentials {
  /** The base address of the requests: `fetch` ignores its host. */
  baseUrl: string;
  /** Answers requests in this process: no socket is opened. */
  fetch: SandboxFetch;
  /** The option `fieldNames` of the sandbox, if it has one. */
  fieldNames?: FieldNames;
  /** The option `checks` of the sandbox, if it has one. */
  checks?: Checks;
}
