export type AuthHeaders = Readonly<Record<string, string>>;

/** The time of a call. */
interface TimeLeft {
  /** Milliseconds. */
  readonly remaining: number;
}

/** Authorises the requests of one client. */
export interface Authorizer {
  /** The headers every request carries; a promise only where they must be fetched first, for a call with so much time left. */
  headers(time: TimeLeft): AuthHeaders | Promise<AuthHeaders>;
  /** Whoever got a promise waits for it no more, whether it came or not. */
  leave(promise: Promise<AuthHeaders>): void;
  /** The platform refused these headers. Returns whether it is worth asking for others. */
  refuse(headers: AuthHeaders): boolean;
  /** What must appear in no message, log or error. */
  secrets(): readonly string[];
}

/** A shorter one is a test's ("wrong"), and replacing it would only tear messages apart. */
export const isSecret = (text: string) => text.length >= 8;

/** The headers client-id and client-secret on every call (API document, Authentication, 1). */
export function headerCredentials(clientId: string, clientSecret: string): Authorizer {
  const headers = Object.freeze({ 'client-id': clientId, 'client-secret': clientSecret });
  const secrets = Object.freeze([clientSecret].filter(isSecret));
  return { headers: () => headers, leave: () => undefined, refuse: () => false, secrets: () => secrets };
}

/** For the request that fetches a token: its own headers carry what it needs. */
export function noCredentials(secrets: readonly string[]): Authorizer {
  return {
    headers: () => ({}),
    leave: () => undefined,
    refuse: () => false,
    secrets: () => secrets.filter(isSecret),
  };
}
