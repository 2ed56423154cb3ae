/** The holder of a claim, and the body that it is for. */
export interface ClaimDetails {
  /** A random identifier of this one attempt: only the holder of a claim may renew, complete or release it. */
  readonly holder: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
}

/**
 * The answer to a claim: `claimed`, go on; `busy`, another holder works on it; `done`, it was completed;
 * `changed`, it was completed with another body.
 */
export type ClaimAnswer = 'claimed' | 'busy' | 'done' | 'changed';

/** A value, or a promise of it. A store in memory needs no promise. */
type Soon<Value> = Value | Promise<Value>;

/** A database transaction that handles a delivery and marks it as done. */
export interface DedupeTransaction<Transaction> {
  /** The handler gets it as `delivery.transaction`. */
  readonly client: Transaction;
  /** As in the store, within the transaction. */
  advance(id: string, rank: number, keepFor: number): Promise<boolean>;
  /**
   * Marks the id as done and commits: true. False, after a rollback, if another holder has the claim by
   * now. Rejects unless the database has said that it committed.
   */
  commit(id: string, keepFor: number, details: ClaimDetails): Promise<boolean>;
  /** Undoes all writes and releases the client. */
  rollback(): Promise<void>;
}

/**
 * Remembers which deliveries a receiver handled. Every step is atomic, also between processes. Times are in
 * milliseconds, on the store's clock. A step may return a promise, and has five seconds. If a claim fails, the
 * receiver responds with 503. If a mark fails, it is tried three times.
 */
export interface DedupeStore<Transaction = undefined> {
  /**
   * Claims an id for `lease` milliseconds, unless it is claimed or done. A claim expires if its holder died. The
   * same holder can claim again, which renews the lease.
   */
  claim(id: string, lease: number, details: ClaimDetails): Soon<ClaimAnswer>;
  /**
   * Marks an id as done, and forgets it after `keepFor`. It does so also if the store
   * has forgotten the claim. False, without effect, if another holder has the id by now, or has completed it.
   */
  complete(id: string, keepFor: number, details: ClaimDetails): unknown;
  /** Gives a claim back, so that the next delivery is handled. Without effect if another holder has it, or if it is done. */
  release(id: string, details: ClaimDetails): unknown;
  /**
   * Extends a claim while its handler runs, or takes it again if the store has forgotten it. False if another
   * holder has the id by now. Without it, a handler should end within the lease.
   */
  renew?(id: string, lease: number, details: ClaimDetails): unknown;
  /** For `order: 'forward-only'`: false if a higher rank is stored under the id, otherwise stores this one. */
  advance?(id: string, rank: number, keepFor: number): Soon<boolean>;
  /** How many deliveries a receiver handles at once with this store, unless its option `concurrency` says otherwise. */
  readonly concurrency?: number | undefined;
  /** Opens the transaction that the handler runs in. */
  begin?(): Promise<DedupeTransaction<Transaction>>;
}
