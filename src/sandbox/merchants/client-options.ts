import type { FieldNames } from '../../contract/assumptions.js';
import type { Checks } from '../../contract/own-checks.js';
import type { Credentials } from './merchant.js';

/** The signature of the standard `fetch`. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** Options of a client that uses the sandbox in the same process. */
export interface SandboxClientOptions extends Credentials {
  /** The base address of the requests: `fetch` ignores its host. */
  baseUrl: string;
  /** Answers requests in this process: no socket is opened. */
  fetch: SandboxFetch;
  /** Where the sandbox was given other names than the default ones. */
  fieldNames?: FieldNames;
  /** Where the sandbox was told which checks to make. */
  checks?: Checks;
}
