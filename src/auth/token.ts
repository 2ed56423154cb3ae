import { isRecord } from '../input/record.js';

/** How long before its end a token is no longer used: the call must arrive before it expires. Seconds. */
const longestMargin = 60;
/** How long before its end another one is fetched beside the calls. Seconds. */
const longestHeadStart = 300;

/**
 * An access token and its age. However the clocks of this machine are set, it does not look younger than
 * it is; one that came from another machine is as old as that machine's clock says.
 */
export class Token {
  readonly #value: string;
  /** Milliseconds since 1970, when it was asked for. */
  readonly #issuedAt: number;
  /** Seconds. */
  readonly #lifetime: number;
  /** On the monotonic clock: when it was known to have some age. */
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

  /** Milliseconds for which it may still be used. */
  get left(): number {
    return (this.#lifetime - Math.min(longestMargin, this.#lifetime / 10)) * 1000 - this.#age();
  }

  /** Whether it is time to fetch another one. */
  get isOld(): boolean {
    const headStart = Math.min(longestHeadStart, this.#lifetime / 4);
    return this.#age() >= (this.#lifetime - headStart) * 1000;
  }

  /** For a store. */
  write(): string {
    return JSON.stringify({ value: this.#value, issuedAt: this.#issuedAt, lifetime: this.#lifetime });
  }

  /** From a store; undefined for anything else. */
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

/** What can stand in an Authorization header. */
export const isTokenValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value);

/** Seconds; undefined where the answer does not say, or says nonsense. */
export function readLifetime(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
