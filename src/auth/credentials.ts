export type AuthHeaders = Readonly<Record<string, string>>;

/**
 * How calls are authorised: with the headers client-id and client-secret, with an access token, or with both.
 */
export type AuthMode = 'headers' | 'oauth' | 'both';

/** The part of a call's deadline that an authorizer reads. */
interface TimeRemaining {
  /** Milliseconds until the call's deadline. */
  readonly remainingMs: number;
}

/** Authorises the requests of one client. */
export interface Authorizer {
  /** Returns the headers that authorise a request, or a promise if a token must be fetched first. */
  headers(time: TimeRemaining): AuthHeaders | Promise<AuthHeaders>;
  /** Must be called when a call no longer waits for a promise from `headers`, settled or not. */
  stopWaiting(promise: Promise<AuthHeaders>): void;
  /** Reports that the platform rejected these headers. Returns whether `headers` can produce new ones. */
  invalidate(headers: AuthHeaders): boolean;
  /** Lists the strings that must not appear in a message, log or error. */
  secrets(): readonly string[];
}

/**
 * Checks that a string is long enough to be a secret. Shorter strings ("wrong") occur in tests, and redacting
 * them would make messages unreadable.
 */
export const isSecret = (text: string) => text.length >= 8;

export const clientHeaders = (clientId: string, clientSecret: string): AuthHeaders =>
  Object.freeze({ 'client-id': clientId, 'client-secret': clientSecret });

/** Authorises calls with the headers client-id and client-secret (API docs, Authentication, 1). */
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

/** Adds no headers: a token request carries its credentials in its body or its Basic header. */
export function noCredentials(secrets: readonly string[]): Authorizer {
  return {
    headers: () => ({}),
    stopWaiting: () => undefined,
    invalidate: () => false,
    secrets: () => secrets.filter(isSecret),
  };
}
