import { type AuthHeaders, type Authorizer, isSecret } from './credentials.js';
import type { Token } from './token.js';
import type { TokenSource } from './token-source.js';
import type { TokenStore } from './token-store.js';

/** How access tokens are obtained and kept (API document, Authentication, 3). */
export interface OAuthOptions {
  /** The credentials go in the body (default) or in an Authorization: Basic header. */
  credentials?: 'body' | 'basic' | undefined;
  /**
   * How the Basic header carries reserved characters of the credentials: form-encoded, as RFC 6749 (2.3.1)
   * asks of clients (`form`, the default), or as they are, for a server that decodes nothing more than
   * RFC 7617 says (`none`). They differ for anything but letters, digits and `*-._`. With `none` the
   * `clientId` must not contain a colon. The API document shows neither.
   */
  basicEncoding?: 'form' | 'none' | undefined;
  /** The body is JSON (default) or a form, as RFC 6749 has it. The API document shows neither. */
  encoding?: 'json' | 'form' | undefined;
  /**
   * More fields of a token request, such as `scope` or `audience`: texts, under names that the request has
   * not got already. Tokens are kept apart by them. Their values are treated as secrets: an error of a
   * token request shows none of 8 characters or more. The API document shows no such field.
   */
  extraBody?: Readonly<Record<string, string>> | undefined;
  /** Where tokens are kept; default: in this client. See `redisTokenStore`. */
  store?: TokenStore | undefined;
}

const bearer = (value: string): AuthHeaders => ({ authorization: `Bearer ${value}` });

/** A bearer token on every call (API document, Authentication, 3). */
export function bearerToken(source: TokenSource, clientSecret: string): Authorizer {
  /** The headers of the token in use: made once, and compared by what they are. */
  let last: { readonly token: Token; readonly headers: AuthHeaders } | undefined;
  const headersOf = (token: Token): AuthHeaders => {
    if (last?.token !== token) last = { token, headers: bearer(token.value) };
    return last.headers;
  };
  /** Which token somebody waits for. */
  const promised = new WeakMap<Promise<AuthHeaders>, Promise<Token>>();
  return {
    headers: ({ remaining }) => {
      const token = source.token(remaining);
      if (!(token instanceof Promise)) return headersOf(token);
      const headers = token.then(headersOf);
      promised.set(headers, token);
      return headers;
    },
    leave: (headers) => {
      const token = promised.get(headers);
      if (token !== undefined) source.leave(token);
    },
    refuse: ({ authorization = '' }) => {
      source.refuse(authorization.slice('Bearer '.length));
      return true;
    },
    secrets: () => [clientSecret, ...source.secrets()].filter(isSecret),
  };
}

/** The Authorization header of RFC 7617. RFC 6749, 2.3.1: both halves are form-encoded before they are joined. */
export function basicCredentials(
  clientId: string,
  clientSecret: string,
  encoding: OAuthOptions['basicEncoding'],
): string {
  const written = (text: string) =>
    encoding === 'none' ? text : new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${btoa(`${written(clientId)}:${written(clientSecret)}`)}`;
}
