import type { Issue } from '../../src/validation/issue.js';
import { functionReader, integerReader } from '../../src/validation/options.js';
import type { DefaultEntry } from './default-entry.js';
import { option } from './option.js';
import { responseStatus } from './statuses.js';

/** In bytes. Without valid credentials, also the maximum of any body that is kept. */
export const largestText = 1024 * 1024;

/** In bytes. */
const defaultMaxBody = 64 * 1024 * 1024;

/** An error response of the sandbox, passed to `errorBody`. */
export interface SandboxProblem {
  /** The HTTP status. */
  readonly status: number;
  /** The sandbox's code, such as `invalid_request`. */
  readonly code: string;
  /** A message for people. */
  readonly message: string;
  /** The problems of the request, with the paths of their fields. */
  readonly issues: readonly Readonly<Issue>[];
}

export const errorBodyOption = option(functionReader<(problem: SandboxProblem) => unknown>(), undefined, {
  topic: 'Error bodies',
  default:
    'An error response has the body `{ error: { code, message, issues: [{ path, message }] } }`. `issues` lists problems of the request, and `message` names the first few.',
  why: 'The format is undocumented. With the list, you can fix several mistakes at once. Clients show the message in their errors.',
});

export const maxBodyOption = option(integerReader(1, 'a number of bytes'), defaultMaxBody, {
  topic: 'Bodies that are too large',
  default: `If a body is larger than ${largestText} bytes, or than a lower value of \`createSandbox({ maxBody })\`, the sandbox returns 413 before reading all of it. For \`multipart/form-data\`, the limit is ${defaultMaxBody} bytes, or that value. If a request has no valid credentials, the sandbox reads a form up to its limit and returns 401, but does not keep a form over ${largestText} bytes. This 413 does not appear in the journal.`,
  why: 'The size limits are undocumented. A caller without credentials must not be able to exhaust memory, and a caller with an expired token must get a 401.',
});

export const requestDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Undocumented names',
    default:
      "The sandbox uses the SDK's default names (listed in the SDK's `assumptions`), or the names that you pass in `createSandbox({ fieldNames })`. `clientOptions()` passes the same names to clients.",
    why: 'The client and the sandbox read the same list of assumed names.',
    option: 'fieldNames',
  },
  errorBodyOption,
  {
    topic: 'Success statuses',
    default: `The sandbox returns ${responseStatus.paymentCreated} if a request creates a payment, a webhook endpoint, a sub-account, a withdrawal, a card token or a domain. It returns ${responseStatus.paymentReplayed} for a replayed payment, for a domain that is already registered, and for other requests. For onboarding submissions and resent documents, it returns the documented 202. For a replayed sub-account request, the sandbox returns the first response's status.`,
    why: 'The statuses are undocumented, except for onboarding. A replayed payment creates nothing, and the response to a replayed sub-account request does not change.',
    option: 'statuses.paymentCreated',
  },
  {
    topic: 'Request identifiers',
    default:
      'Every response from the simulated platform has an `x-request-id` header derived from the seed. The header is missing if a fault replaces the response, or if the sandbox rejects the request before it reaches the platform (400, 403, 413, 421).',
    why: 'The API docs do not name such a header, so the SDK assumes this one.',
    option: 'fieldNames',
  },
  {
    topic: 'Unknown paths and methods',
    default:
      'The sandbox returns 404 before it checks the credentials. A `HEAD` request gets the same response as a `GET` request, but without the body.',
    why: 'The API docs mention a 404 only for withdrawals.',
    fixed:
      'The operations of the API docs have other paths. To get a different response, add a fault with a status.',
  },
  {
    topic: 'Hosts and origins',
    default:
      "The server returns 421 unless the `Host` header is listed in `listen({ allowedHosts })` or is an address that the server listens on. If the server listens on a loopback address or on all interfaces, it also accepts `127.0.0.1`, `localhost` and `[::1]`, with any port. It returns 400 if the request does not have exactly one `Host`, or if a path segment is `.` or `..`. It returns 403 if the `Origin` is not the server's own, or if the browser marks the request as cross-site or same-site. The sandbox does not execute such a request or record it in the journal, and the response has no CORS header. The sandbox does not check in-process requests.",
    why: 'A web page must not be able to reach a sandbox at a loopback address, either from another origin or by DNS rebinding.',
    fixed: 'The check protects the sandbox from web pages. To add hosts, use `listen({ allowedHosts })`.',
  },
  maxBodyOption,
  {
    topic: 'Bodies that cannot be read',
    default:
      'The sandbox returns 400 if the content type is wrong or a JSON body is empty. It also returns 400 for JSON that is invalid, not UTF-8 or nested too deeply. The same applies to malformed `multipart/form-data`. The sandbox ignores a body that the operation does not expect.',
    why: 'For invalid data, the API docs list the status 400.',
    fixed: 'The API docs list 400 for invalid data.',
  },
  {
    topic: 'x-idempotency-key out of bounds',
    default:
      'The sandbox returns 400 if the key is empty or longer than 255 characters. For an operation that requires a key, the sandbox also returns 400 if the key is missing or not a UUID v4. If the operation does not accept a key, the sandbox ignores the header.',
    why: 'The rules are documented, but the response is not.',
    fixed:
      'The API docs list 400 for invalid data. For payments, `statuses.paymentInvalid` changes the status.',
  },
];
