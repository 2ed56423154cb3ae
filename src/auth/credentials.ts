export type AuthHeaders = Readonly<Record<string, string>>;

/** `headers` sends client-id and client-secret, `oauth` sends an access token, and `both` sends all three. */
export type AuthMode = 'headers' | 'oauth' | 'both';

interface TimeRemaining {
  readonly remainingMs: number;
}

export interface Authorizer {
  headers(time: TimeRemaining): AuthHeaders | Promise<AuthHeaders>;
  /** Every call that received the promise must call this once, whether the promise has settled or not. */
  stopWaiting(promise: Promise<AuthHeaders>): void;
  invalidate(headers: AuthHeaders): boolean;
  /** Lists the strings that must not appear in a message, log or error. */
  secrets(): readonly string[];
}

/**
 * Checks that a string is long enough to be redacted as a secret. Redacting shorter strings, such as "wrong",
 * would make messages unreadable.
 */
export const isSecret = (text: string) => text.length >= 8;

export const clientHeaders = (clientId: string, clientSecret: string): AuthHeaders =>
  Object.freeze({ 'client-id': clientId, 'client-secret': clientSecret });

/** API docs, Authentication, 1. */
export function createHeaderAuthorizer(clientId: string, clientSecret: string): Authorizer {
  const headers = clientHeaders(clientId, clientSecret);
  const secrets = Object.freeze([clientSecret].filter(isSecret));
  return {
    headers: () => headers,
    stopWaiting: () => undefined,
    invalidate: () => false,
    secrets: () => secrets,
  };
}

/** A token request carries its credentials in the body, or in a Basic header that is part of the request. */
export function createTokenRequestAuthorizer(secrets: readonly string[]): Authorizer {
  return {
    headers: () => ({}),
    stopWaiting: () => undefined,
    invalidate: () => false,
    secrets: () => secrets.filter(isSecret),
  };
}
