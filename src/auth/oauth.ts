import { type AuthHeaders, type Authorizer, isSecret } from './credentials.js';
import type { Token } from './token.js';
import type { TokenSource } from './token-source.js';
import type { TokenStore } from './token-store.js';

/** How the client requests and stores access tokens (API docs, Authentication, 3). */
export interface OAuthOptions {
  /**
   * The client id for token requests, if it differs from the client's own id. The API docs mention two pairs
   * of credentials: the pair created in the panel, and the merchant credential (Authentication). Set both
   * `clientId` and `clientSecret`, or neither.
   */
  clientId?: string | undefined;
  /** The secret that belongs to `oauth.clientId`. */
  clientSecret?: string | undefined;
  /** `false` leaves `grant_type` out of the token request, for a platform that rejects this field. */
  grantType?: false | undefined;
  /**
   * The part of a token request that carries the credentials: the body (`body`, the default) or an
   * `Authorization: Basic` header (`basic`).
   */
  credentials?: 'body' | 'basic' | undefined;
  /**
   * How the Basic header encodes the credentials. `form` (default) form-encodes them, as RFC 6749 (2.3.1)
   * requires of clients. `none` sends them unchanged, for a server that implements only RFC 7617. The two
   * encodings differ for all characters except letters, digits and `*-._`. With `none`, `clientId` must not
   * contain a colon. The API docs do not state an encoding.
   */
  basicEncoding?: 'form' | 'none' | undefined;
  /** The encoding of the token request's body: JSON (default) or form encoding (RFC 6749). */
  encoding?: 'json' | 'form' | undefined;
  /**
   * Additional fields of a token request, such as `scope` or `audience`. The values must be strings. The
   * names must not match any field that the request already has. Clients with different fields do not share
   * tokens. The SDK treats the values as secrets: errors from a token request omit every value of 8
   * characters or more. The API docs do not describe such fields.
   */
  extraBody?: Readonly<Record<string, string>> | undefined;
  /** The store for access tokens. Default: in this client. See `redisTokenStore` and `libsqlTokenStore`. */
  store?: TokenStore | undefined;
}

/** API docs, Authentication, 3. */
export function createBearerAuthorizer(
  source: TokenSource,
  clientSecrets: readonly string[],
  extraHeaders: AuthHeaders = {},
): Authorizer {
  let current: { readonly token: Token; readonly headers: AuthHeaders } | undefined;
  const buildAuthHeaders = (token: Token): AuthHeaders => {
    if (current?.token !== token)
      current = { token, headers: { ...extraHeaders, authorization: `Bearer ${token.value}` } };
    return current.headers;
  };
  const tokenPromises = new WeakMap<Promise<AuthHeaders>, Promise<Token>>();
  return {
    headers: ({ remainingMs }) => {
      const token = source.token(remainingMs);
      if (!(token instanceof Promise)) return buildAuthHeaders(token);
      const headers = token.then(buildAuthHeaders);
      tokenPromises.set(headers, token);
      return headers;
    },
    stopWaiting: (headers) => {
      const token = tokenPromises.get(headers);
      if (token !== undefined) source.stopWaiting(token);
    },
    invalidate: ({ authorization = '' }) => source.invalidate(authorization.slice('Bearer '.length)),
    secrets: () => [...clientSecrets, ...source.secrets()].filter(isSecret),
  };
}

/**
 * Builds the Authorization header of RFC 7617. With `form`, the id and the secret are form-encoded before
 * they are joined (RFC 6749, 2.3.1).
 */
export function encodeBasicCredentials(
  clientId: string,
  clientSecret: string,
  encoding: OAuthOptions['basicEncoding'],
): string {
  const encode = (text: string) =>
    encoding === 'none' ? text : new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`;
}
