export type AuthHeaders = Readonly<Record<string, string>>;

/** How a call is authorised: with client-id and client-secret, with an access token, or with both. */
export type AuthMode = 'headers' | 'oauth' | 'both';

/** The deadline of a call. */
interface TimeRemaining {
  /** Milliseconds left. */
  readonly remainingMs: number;
}

/** Authorises the requests of one client. */
export interface Authorizer {
  /** The headers that authorise a request; a promise only if a token must be fetched first. */
  headers(time: TimeRemaining): AuthHeaders | Promise<AuthHeaders>;
  /** Must be called when a call no longer waits for a promise from `headers`, settled or not. */
  stopWaiting(promise: Promise<AuthHeaders>): void;
  /** Reports that the platform refused these headers. Returns whether `headers` can give others. */
  invalidate(headers: AuthHeaders): boolean;
  /** Lists the strings that must not appear in a message, log or error. */
  secrets(): readonly string[];
}

/**
 * Whether a string is long enough to be a secret. Shorter ones ("wrong") occur in tests, and redacting them would
 * make messages unreadable.
 */
export const isSecret = (text: string) => text.length >= 8;

export const clientHeaders = (clientId: string, clientSecret: string): AuthHeaders =>
  Object.freeze({ 'client-id': clientId, 'client-secret': clientSecret });

/** The headers client-id and client-secret on every call (API docs, Authentication, 1). */
export function headerCredentials(clientId: string, clientSecret: string): Authorizer {
  const headers = clientHeaders(clientId, clientSecret);
  const secrets = Object.freeze([clientSecret].filter(isSecret));
  return {
    headers: () => headers,
    stopWaiting: () => undefined,
    invalidate: () => false,
    secrets: () => secrets,
  };
}

/** For the token request, which carries its credentials itself. */
export function noCredentials(secrets: readonly string[]): Authorizer {
  return {
    headers: () => ({}),
    stopWaiting: () => undefined,
    invalidate: () => false,
    secrets: () => secrets.filter(isSecret),
  };
}
