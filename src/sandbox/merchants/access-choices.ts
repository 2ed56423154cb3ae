import { answerStatus, type Choice } from '../choices.js';

/** What the API document leaves open about credentials, tokens and rate limits. */
export const accessChoices: readonly Choice[] = [
  {
    topic: 'Request of POST /oauth/token',
    choice:
      'RFC 6749: grant_type client_credentials in the body, JSON or application/x-www-form-urlencoded; client_id and client_secret in the body, or in Authorization: Basic, form-encoded or as they are. Further fields are passed over. In both places at once, or a parameter of a form twice, answers 400.',
    why: 'The document names only client_id and client_secret, the body and the header.',
  },
  {
    topic: 'Answer of POST /oauth/token',
    choice:
      "200 { access_token, token_type: 'Bearer', expires_in }. Errors have the sandbox's usual body, with the code of the RFC: 401 invalid_client; 400 unsupported_grant_type or invalid_request.",
    why: 'Neither is shown; the `error` of the RFC is text, where every other answer has an object.',
  },
  {
    topic: 'Where the bearer token is accepted',
    choice:
      'On every operation. Where the two headers are sent as well, all must be right and belong to one credential; otherwise 401.',
    why: 'Which endpoints accept it is not shown; a request with two identities is a mistake.',
  },
  {
    topic: 'Several tokens at a time',
    choice:
      'Each is valid for its own lifetime; a new one does not end the ones before. control.credentials.rotate ends all of its merchant, control.oauth.revokeTokens all there are.',
    why: 'Only the lifetime is stated; createSandbox({ oauth: { expiresIn } }) changes it.',
  },
  {
    topic: 'Rotation of credentials',
    choice: 'The old client secret is refused at once.',
    why: 'The merchant panel creates secrets; whether two are valid together is not shown.',
  },
  {
    topic: 'Credentials of a sandbox',
    choice:
      'The client id follows from the seed. Client secrets and access tokens are different in every run, unless createSandbox({ seed }) or clientSecret is given.',
    why: 'What is the same in every run is known to every web page that looks for a sandbox on a port; a seed asks for a run that repeats.',
  },
  {
    topic: 'Rate limits',
    choice:
      'Requests of the last 60 seconds on the clock, counted once the credentials are right, whatever becomes of them; a 429 itself is not counted. By credential for submerchants, by address for the vault; in process there is one address. createSandbox({ rateLimits }) changes the numbers; false turns them off.',
    why: 'The numbers are stated, how they are counted is not.',
  },
  {
    topic: 'Answer to too many requests',
    choice: '429 rate_limited with Retry-After in whole seconds.',
    why: 'Only the status is shown.',
  },
  {
    topic: 'Parameters of the path',
    choice: `${answerStatus.unfitParameter} for an id that is no UUID, or no integer where one is asked for.`,
    why: 'Not shown; nothing has such an id.',
  },
  {
    topic: "Another merchant's resource",
    choice:
      '404, as for one that does not exist. Within the body of a payment, a token or a document of another merchant is an unknown one: 400.',
    why: 'The 404 is shown for withdrawals only; the rest must not tell what exists either.',
  },
];
