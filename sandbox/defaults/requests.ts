import type { Issue } from '../../src/validation/issue.js';
import { aFunction, anInteger } from '../../src/validation/options.js';
import type { DefaultEntry } from './default-entry.js';
import { option } from './option.js';
import { answerStatus } from './statuses.js';

/** The limit of a body that is not a form, and of the stored part of a body without valid credentials. In bytes. */
export const largestText = 1024 * 1024;

/** Bytes. The default limit of a form, files included. */
const defaultMaxBody = 64 * 1024 * 1024;

/** An error answer of the platform, for `errorBody`. */
export interface SandboxProblem {
  /** The HTTP status. */
  readonly status: number;
  /** The sandbox's code, such as `invalid_request`. */
  readonly code: string;
  /** A message for people. */
  readonly message: string;
  /** Every problem of the request, by the path of its field. */
  readonly issues: readonly Readonly<Issue>[];
}

export const errorBodyOption = option(aFunction<(problem: SandboxProblem) => unknown>(), undefined, {
  topic: 'Error bodies',
  default:
    '{ error: { code, message, issues: [{ path, message }] } }. issues lists every problem of a body, and message names the first ones.',
  why: 'The shape is undocumented. With a list, a developer fixes all mistakes at once, and clients show the message.',
});

export const maxBodyOption = option(anInteger(1, 'a number of bytes'), defaultMaxBody, {
  topic: 'Bodies that are too large',
  default: `413, before the whole body is read: over ${largestText} bytes, and for multipart/form-data over ${defaultMaxBody} or createSandbox({ maxBody }). A form without valid credentials is read and gets a 401; above ${largestText} bytes, none of it is kept. A 413 does not appear in the journal.`,
  why: 'Size limits are undocumented. A caller without credentials must not fill the memory, and a caller with an expired token must get the 401.',
});

/** The sandbox's defaults for all operations. */
export const requestDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Undocumented names',
    default:
      "The SDK's defaults, which its `assumptions` list, or the names in createSandbox({ fieldNames }), which clientOptions() passes to clients.",
    why: 'Client and sandbox read the same list of assumed names.',
    option: 'fieldNames',
  },
  errorBodyOption,
  {
    topic: 'Success statuses',
    default: `${answerStatus.paymentCreated} for created objects: payments, webhook endpoints, sub-accounts, withdrawals, card tokens, domains. ${answerStatus.paymentReplayed} for a replayed payment, an already registered domain and everything else, except the documented 202 of onboarding. A replayed creation of a sub-account has the status of the first response.`,
    why: 'Undocumented, except for onboarding. A replayed payment creates nothing, and a replayed sub-account has the same response.',
    option: 'statuses.paymentCreated',
  },
  {
    topic: 'Request identifiers',
    default:
      'Every response of the platform has an x-request-id derived from the seed. Responses of a fault do not have it, nor do requests rejected before the platform: 400, 403, 413, 421.',
    why: 'The API docs name no such header. The SDK assumes this one.',
    option: 'fieldNames',
  },
  {
    topic: 'Unknown paths and methods',
    default: '404, before the credentials are checked. HEAD gets the response of GET without the body.',
    why: 'Only the 404 of withdrawals is documented.',
    fixed: 'A client never sends such a request. A fault with a status returns any other response.',
  },
  {
    topic: 'Hosts and origins',
    default:
      'A server returns 421 for a Host that is neither its own (the addresses it listens on; on loopback and on every interface also 127.0.0.1, localhost and [::1], each with its port) nor in listen({ allowedHosts }); 400 for a request without a Host or with more than one, and for a path with "." or ".."; 403 for an Origin that is not its own and for requests that a browser marks as cross-site or same-site. Such a request is not executed and does not appear in the journal, and the response has no CORS header. Requests in process are not checked.',
    why: 'A web page must not reach a sandbox on loopback, neither across origins nor by DNS rebinding.',
    fixed: 'It protects the sandbox from web pages. listen({ allowedHosts }) adds hosts.',
  },
  maxBodyOption,
  {
    topic: 'Bodies that cannot be read',
    default:
      '400 for another content type, for an empty body, for JSON that is invalid, not UTF-8 or nested too deeply, and for multipart/form-data that is malformed or has a string field of more than 1 MB. An unexpected body is ignored.',
    why: 'The API docs list 400 for invalid data, and no other status of this kind.',
    fixed: 'A client never sends such a body, and the API docs list 400 for invalid data.',
  },
  {
    topic: 'x-idempotency-key out of bounds',
    default:
      '400 if it is empty or longer than 255 characters. If the operation requires a key, also 400 if it is missing or not a UUID v4. On operations without a key it is ignored.',
    why: 'The rules are documented, the response is not.',
    fixed: 'The rules are documented, and the API docs list 400 for invalid data.',
  },
];
