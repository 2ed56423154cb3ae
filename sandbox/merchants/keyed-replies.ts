import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';

/** A stored response. */
export interface Reply {
  readonly status: number;
  /** The body, sent as JSON. */
  readonly body: unknown;
}

/**
 * The stored response to the first request with an idempotency key, and the digest of that request's payload.
 */
interface StoredReply extends Reply {
  readonly digest: string;
}

/**
 * Stores the first responses of one merchant, by idempotency key. A repeated request gets the first response
 * again. Only for operations whose `repeatedKeyGets` is `first-response` (API docs, Errors, idempotency rule
 * 1).
 */
export class KeyedReplies {
  readonly #kept: Table<StoredReply>;

  constructor(tables: TableFactory) {
    this.#kept = tables.table('replies');
  }

  /**
   * Finds the first response to an idempotency key. Returns `reused` if the first request had another
   * payload, and undefined for a new key.
   */
  recall(key: string, digest: string): Reply | 'reused' | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    return kept.digest === digest ? kept : 'reused';
  }

  keep(key: string, digest: string, { status, body }: Reply): void {
    this.#kept.set(key, { digest, status, body });
  }
}
