import { isRecord } from '../validation/record.js';

/** Maximum seconds before the expiry at which the client no longer uses a token. */
const maxExpiryMarginSeconds = 60;
/** Maximum seconds before the expiry at which the client fetches the next token in the background. */
const maxRefreshMarginSeconds = 300;

/**
 * A token in use does not look younger when this machine's clock is set back. The age of a stored token depends
 * on the clock of the machine that stored it.
 */
export class Token {
  readonly #value: string;
  /** When the token was requested, in milliseconds since 1970. */
  readonly #issuedAt: number;
  /** Lifetime in seconds, counted from `#issuedAt`. */
  readonly #lifetime: number;
  /** When this object was created, in milliseconds of the monotonic clock. */
  readonly #seenAt = performance.now();
  readonly #ageWhenSeen: number;

  constructor(value: string, issuedAt: number, lifetime: number) {
    this.#value = value;
    this.#issuedAt = issuedAt;
    this.#lifetime = lifetime;
    this.#ageWhenSeen = Math.max(0, Date.now() - issuedAt);
  }

  get value(): string {
    return this.#value;
  }

  get remainingMs(): number {
    return (this.#lifetime - Math.min(maxExpiryMarginSeconds, this.#lifetime / 10)) * 1000 - this.#age();
  }

  get isOld(): boolean {
    const headStart = Math.min(maxRefreshMarginSeconds, this.#lifetime / 4);
    return this.#age() >= (this.#lifetime - headStart) * 1000;
  }

  write(): string {
    return JSON.stringify({ value: this.#value, issuedAt: this.#issuedAt, lifetime: this.#lifetime });
  }

  static read(text: string): Token | undefined {
    try {
      const stored: unknown = JSON.parse(text);
      if (!isRecord(stored)) return undefined;
      const { value, issuedAt, lifetime } = stored;
      if (!isTokenValue(value) || !Number.isFinite(issuedAt) || !Number.isFinite(lifetime)) return undefined;
      return new Token(value, issuedAt as number, lifetime as number);
    } catch {
      return undefined;
    }
  }

  #age(): number {
    const elapsed = this.#ageWhenSeen + (performance.now() - this.#seenAt);
    return Math.max(elapsed, Date.now() - this.#issuedAt);
  }
}

export const isTokenValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value);

/** In seconds. */
export function readLifetime(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
