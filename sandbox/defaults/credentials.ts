import { limits } from '../../src/contract/limits.js';
import { oneOf, validIf } from '../../src/validation/options.js';
import type { DefaultEntry } from './default-entry.js';
import { option } from './option.js';
import { rateLimitsOption } from './rate-limits.js';
import { answerStatus } from './statuses.js';

/** Seconds. With more, a token could expire after the last time that a Date can hold. */
const longestLifetime = 2 ** 31 - 1;

const aLifetime = validIf<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= longestLifetime,
  `must be a number of whole seconds from 1 to ${longestLifetime}`,
);

export const oauthOptions = {
  /** How long an access token is valid, in whole seconds, 1 to 2147483647. Default 3600. */
  expiresIn: option(aLifetime, limits.oauthTokenSeconds, {
    topic: 'Several tokens at a time',
    default:
      'Each is valid for its own lifetime; a new one does not end earlier ones. control.credentials.rotate ends all tokens of its merchant, control.oauth.revokeTokens all tokens.',
    why: 'Only the lifetime is documented; createSandbox({ oauth: { expiresIn } }) changes it.',
  }),
  /** Whether a token request without `grant_type` is accepted: it is `optional` (default) or `required`. */
  grantType: option(oneOf('optional', 'required'), 'optional', {
    topic: 'Token request without grant_type',
    default:
      "client_id and client_secret are enough, in the body or in Authorization: Basic. A grant_type other than client_credentials gets a 400. With createSandbox({ oauth: { grantType: 'required' } }) a request without one also gets a 400, as in RFC 6749.",
    why: 'The API docs name client_id and client_secret only.',
  }),
};

/** The sandbox's defaults for credentials, access tokens and rate limits. */
export const credentialDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Request of POST /oauth/token',
    default:
      'JSON or application/x-www-form-urlencoded, or no body with Authorization: Basic; client_id and client_secret in the body, or in Authorization: Basic, form-encoded or unchanged. Other fields are ignored. Credentials in both places, or a form parameter sent twice, get a 400.',
    why: 'The API docs name only client_id and client_secret, the body and the header.',
    fixed: 'It accepts every form of RFC 6749, so that no client is rejected for using another one.',
  },
  {
    topic: 'Response of POST /oauth/token',
    default:
      "200 { access_token, token_type: 'Bearer', expires_in }. Errors have the sandbox's usual body, with the code of the RFC: 401 invalid_client; 400 unsupported_grant_type or invalid_request.",
    why: 'Both are undocumented. In the RFC `error` is a string, but every other response has an object there.',
    option: 'errorBody',
  },
  {
    topic: 'Endpoints that accept the bearer token',
    default:
      'On every operation. If the headers client-id and client-secret are sent as well, they and the token must be valid and belong to one credential, otherwise 401.',
    why: 'Which endpoints accept it is undocumented; a request with two identities is a mistake.',
    fixed: 'A client chooses with its option auth. A fault simulates a rejection: { status: 401 }.',
  },
  oauthOptions.grantType,
  oauthOptions.expiresIn,
  {
    topic: 'Rotation of credentials',
    default: 'The old client secret is rejected at once.',
    why: 'The merchant panel creates secrets; whether two are valid at once is undocumented.',
    fixed:
      'This is the stricter reading: a client that survives it also survives two valid secrets. addCredential creates a second credential.',
  },
  {
    topic: 'Credentials of a sandbox',
    default:
      'Client ids, client secrets and access tokens differ in every run, unless you pass createSandbox({ seed }) or clientId and clientSecret.',
    why: 'A web page that looks for a sandbox on a port could know a secret that never changes. A seed makes a run repeatable.',
    option: 'seed',
  },
  rateLimitsOption,
  {
    topic: 'Response to too many requests',
    default: '429 rate_limited with Retry-After in whole seconds.',
    why: 'Only the status is documented.',
    option: 'errorBody',
  },
  {
    topic: 'Parameters of the path',
    default: `${answerStatus.unfitParameter} for an id that is not a UUID, or not an integer where one is required.`,
    why: 'Undocumented; nothing has such an id.',
    option: 'statuses.unfitParameter',
  },
  {
    topic: "Another merchant's resource",
    default:
      "404, as for one that does not exist. In a payment's body, another merchant's token or document counts as unknown: 400.",
    why: 'The 404 is documented for withdrawals only. Other responses must not reveal existing objects either.',
    fixed: 'Another status would reveal which objects exist.',
  },
];
