import { limits } from '../../src/contract/limits.js';
import { oneOf, validIf } from '../../src/validation/options.js';
import type { DefaultEntry } from './default-entry.js';
import { option } from './option.js';
import { rateLimitsOption } from './rate-limits.js';
import { responseStatus } from './statuses.js';

/** In seconds. A longer lifetime could end after the last time that a Date can hold. */
const longestLifetime = 2 ** 31 - 1;

const aLifetime = validIf<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= longestLifetime,
  `must be a number of whole seconds from 1 to ${longestLifetime}`,
);

export const oauthOptions = {
  /** The lifetime of an access token, in whole seconds, 1 to 2147483647. Default 3600. */
  expiresIn: option(aLifetime, limits.oauthTokenSeconds, {
    topic: 'Several tokens at a time',
    default:
      "Each token is valid for its own lifetime, and a new token does not invalidate earlier ones. `control.credentials.rotate` invalidates the credential's tokens, and `control.oauth.revokeTokens` invalidates every token.",
    why: 'The API docs define only the lifetime.',
  }),
  /** Whether a token request needs `grant_type`: `optional` (default) or `required`. */
  grantType: option(oneOf('optional', 'required'), 'optional', {
    topic: 'Token request without grant_type',
    default:
      "A token request needs only `client_id` and `client_secret`, in the body or in `Authorization: Basic`. For any `grant_type` other than `client_credentials`, the sandbox returns 400. With `createSandbox({ oauth: { grantType: 'required' } })`, it also returns 400 if the field is missing, as RFC 6749 specifies.",
    why: 'The API docs name only `client_id` and `client_secret`.',
  }),
};

export const credentialDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Request of POST /oauth/token',
    default:
      'The body is JSON or `application/x-www-form-urlencoded`, or empty if the request has `Authorization: Basic`. `client_id` and `client_secret` are in the body or in the header. In the header, they can be form-encoded or unchanged. The sandbox ignores other fields, except `grant_type`. It returns 400 if the credentials are in both places, or if a form parameter is sent twice.',
    why: 'The API docs name only the fields `client_id` and `client_secret`, and mention only the body and the header.',
    fixed: 'The sandbox accepts the forms in RFC 6749 for this request, so clients that follow the RFC work.',
  },
  {
    topic: 'Response of POST /oauth/token',
    default:
      "The sandbox returns 200 with `{ access_token, token_type: 'Bearer', expires_in }`. Errors have the sandbox's usual body with the code from the RFC: 401 `invalid_client`, or 400 with `unsupported_grant_type` or `invalid_request`.",
    why: 'Both responses are undocumented. In the RFC, `error` is a string, but in other error responses, it is an object.',
    option: 'errorBody',
  },
  {
    topic: 'Endpoints that accept the bearer token',
    default:
      'Every operation except the token request accepts the bearer token. If a request also has the `client-id` and `client-secret` headers, the headers and the token must be valid and belong to the same credential. Otherwise, the sandbox returns 401.',
    why: 'The API docs do not say which endpoints accept the token. A request with two identities is a mistake.',
    fixed:
      "The client's `auth` option selects the credentials. A `{ status: 401 }` fault simulates a rejection.",
  },
  oauthOptions.grantType,
  oauthOptions.expiresIn,
  {
    topic: 'Rotation of credentials',
    default: 'The sandbox rejects the old client secret immediately.',
    why: 'Secrets are created in the merchant panel. The API docs do not say whether two secrets can be valid at the same time.',
    fixed:
      'A client that works with this stricter rule also works if two secrets are valid. `addCredential` creates a second credential.',
  },
  {
    topic: 'Credentials of a sandbox',
    default:
      'Client IDs, client secrets and access tokens differ in every run, unless you use `createSandbox({ seed })` or a saved state. You can also pass `clientId` and `clientSecret`.',
    why: "With a fixed secret, a web page that finds the sandbox's port would also know the secret. A seed makes runs repeatable.",
    option: 'seed',
  },
  rateLimitsOption,
  {
    topic: 'Response to too many requests',
    default:
      'The sandbox returns 429 with the code `rate_limited` and a `Retry-After` header in whole seconds.',
    why: 'Only the status is documented.',
    option: 'errorBody',
  },
  {
    topic: 'Parameters of the path',
    default: `The sandbox returns ${responseStatus.unfitParameter} if an ID in the path does not have the format that the operation requires: a UUID or an integer.`,
    why: 'The response is undocumented. No object can have such an ID.',
    option: 'statuses.unfitParameter',
  },
  {
    topic: "Another merchant's resource",
    default:
      "The sandbox returns 404, as if the resource did not exist. In a payment's body, another merchant's token or document counts as unknown, so the sandbox returns 400.",
    why: 'The API docs define the 404 only for withdrawals. Other responses must also hide whether an object exists.',
    fixed: 'Any other status would reveal which objects exist.',
  },
];
