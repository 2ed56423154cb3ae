/** A claim's holder, and the body that it is for. */
export interface ClaimDetails {
  /** A random identifier of this attempt. Only a claim's holder can renew, complete or release it. */
  readonly holder: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
}

/**
 * The response to a claim. `claimed`: the delivery can be handled. `busy`: another holder is handling it.
 * `done`: it was completed. `changed`: it was completed with another body.
 */
export type ClaimAnswer = 'claimed' | 'busy' | 'done' | 'changed';

/** A value, or a promise of it. An in-memory store needs no promise. */
type Soon<Value> = Value | Promise<Value>;

/** A database transaction that handles a delivery and marks it as done. */
export interface DedupeTransaction<Transaction> {
  /** The client that handlers receive as `delivery.transaction`. */
  readonly client: Transaction;
  /** Does the same as the store's `advance`, within the transaction. */
  advance(id: string, rank: number, keepFor: number): Promise<boolean>;
  /**
   * Marks the id as done, commits, and returns true. Returns false, after a rollback, if another holder has
   * the claim now. Rejects unless the database has confirmed the commit.
   */
  commit(id: string, keepFor: number, details: ClaimDetails): Promise<boolean>;
  /** Rolls all writes back and releases the client. */
  rollback(): Promise<void>;
}

/**
 * Remembers which deliveries a receiver handled. Every step is atomic, also between processes. Times are in
 * milliseconds, on the store's clock. A step can return a promise, and has five seconds. If a claim fails,
 * the receiver responds with 503. A failed mark is tried three times.
 */
export interface DedupeStore<Transaction = undefined> {
  /**
   * Claims an id for `lease` milliseconds, unless it is claimed or done. A dead holder's claim expires. The
   * same holder can claim again, which renews the lease.
   */
  claim(id: string, lease: number, details: ClaimDetails): Soon<ClaimAnswer>;
  /**
   * Marks an id as done, and forgets it after `keepFor`. Also does so if the store has forgotten the claim.
   * Returns false, without effect, if another holder has the id now, or has completed it.
   */
  complete(id: string, keepFor: number, details: ClaimDetails): unknown;
  /**
   * Releases a claim, so that the next delivery is handled. No effect if another holder has the claim, or if
   * the id is done.
   */
  release(id: string, details: ClaimDetails): unknown;
  /**
   * Extends a claim while its handler runs, or restores a claim that the store has forgotten. Returns false
   * if another holder has the id now. Without `renew`, a handler should end within the lease.
   */
  renew?(id: string, lease: number, details: ClaimDetails): unknown;
  /**
   * Stores a rank under an id, for `order: 'forward-only'`. Returns false, without effect, if a higher rank
   * is stored there.
   */
  advance?(id: string, rank: number, keepFor: number): Soon<boolean>;
  /**
   * The number of deliveries that a receiver with this store handles at once. The receiver's option
   * `concurrency` takes precedence.
   */
  readonly concurrency?: number | undefined;
  /** Opens the transaction for the handler. */
  begin?(): Promise<DedupeTransaction<Transaction>>;
}
