/** What is kept of the first execution under a key. */
interface Kept {
  readonly digest: string;
  readonly response: Response;
}

/**
 * The answers of one merchant's operations that require an idempotency key (API document, Errors,
 * idempotency rule 1): a repeat gets the first one again, whatever has happened since.
 */
export class KeyedReplies {
  readonly #kept = new Map<string, Kept>();

  /** The first answer; `reused` when it was to another payload; undefined when the key is new. */
  recall(key: string, digest: string): Response | 'reused' | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    return kept.digest === digest ? kept.response.clone() : 'reused';
  }

  keep(key: string, digest: string, response: Response): void {
    this.#kept.set(key, { digest, response: response.clone() });
  }
}
