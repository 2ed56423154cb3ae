/** The first response to a key. */
interface Kept {
  readonly digest: string;
  readonly response: Response;
}

/**
 * The first responses of one merchant, by idempotency key, for operations whose `sameKey` is
 * `first-response` (API document, Errors, idempotency rule 1). A repeat gets the first response again.
 */
export class KeyedReplies {
  readonly #kept = new Map<string, Kept>();

  /** The first response; `reused` if the payload was another one; undefined for a new key. */
  recall(key: string, digest: string): Response | 'reused' | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    return kept.digest === digest ? kept.response.clone() : 'reused';
  }

  keep(key: string, digest: string, response: Response): void {
    this.#kept.set(key, { digest, response: response.clone() });
  }
}
