/** The holder of a claim, and the digest of the delivery's body. */
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
export type ClaimResult = 'claimed' | 'busy' | 'done' | 'changed';

/** A value, or a promise of it. An in-memory store needs no promise. */
type Soon<Value> = Value | Promise<Value>;

/** A database transaction that contains a handler's writes, and marks the delivery as done. */
export interface DedupeTransaction<Transaction> {
  /** The client that handlers receive as `delivery.transaction`. */
  readonly client: Transaction;
  /**
   * Whether the client rejects the handler's statements after `commit` or `rollback`. If so, the receiver can
   * end the transaction of a handler that never ends. Default false.
   */
  readonly rejectsLateStatements?: boolean | undefined;
  /**
   * Whether the transaction itself keeps the claim, for example with a lock, so that the receiver does not renew it.
   * Default false.
   */
  readonly keepsClaim?: boolean | undefined;
  /**
   * Runs the handler in the transaction's async context, so that code that finds the transaction by
   * `AsyncLocalStorage` finds this one. Default: the receiver's own context.
   */
  run?<Result>(handler: () => Result | PromiseLike<Result>): Promise<Result>;
  /**
   * Does the same as the store's `advance`, within the transaction. Until its end, the transactions of the
   * payment's other deliveries wait here.
   */
  advance(id: string, rank: number, keepFor: number): Promise<boolean>;
  /**
   * Marks the id as done, commits, and returns true. If another holder has the claim now, rolls back and
   * returns false. Rejects if the database does not confirm the commit.
   */
  commit(id: string, keepFor: number, details: ClaimDetails): Promise<boolean>;
  /** Rolls all writes back and releases the client. */
  rollback(): Promise<void>;
}

/**
 * Remembers which deliveries a receiver handled. Every method is atomic, even between processes. Durations
 * are in milliseconds, on the store's clock. A method can return a promise, which must settle within five
 * seconds. If `claim` fails, the receiver responds with 503. If `complete` fails, it is tried three times in
 * all.
 */
export interface DedupeStore<Transaction = undefined> {
  /**
   * Claims an id for `lease` milliseconds, unless it is claimed or done. The claim of a dead holder expires.
   * The same holder can claim again, which renews the lease.
   */
  claim(id: string, lease: number, details: ClaimDetails): Soon<ClaimResult>;
  /**
   * Marks an id as done for `keepFor` milliseconds, even if the store has forgotten the claim. Returns false,
   * without effect, if another holder has the id now, or has completed it.
   */
  complete(id: string, keepFor: number, details: ClaimDetails): unknown;
  /**
   * Releases a claim, so that the next delivery is handled. No effect if another holder has the claim, or if
   * the id is done.
   */
  release(id: string, details: ClaimDetails): unknown;
  /**
   * Extends a claim while its handler runs, or restores a claim that the store has forgotten. Returns false
   * if another holder has the id now. If the store has no `renew`, handlers should end within the lease.
   */
  renew?(id: string, lease: number, details: ClaimDetails): unknown;
  /**
   * Stores a rank under an id, for `order: 'forward-only'`. Returns false, without effect, if a higher rank
   * is stored there.
   */
  advance?(id: string, rank: number, keepFor: number): Soon<boolean>;
  /**
   * The maximum number of deliveries that a receiver with this store handles at once. The receiver's option
   * `concurrency` takes precedence.
   */
  readonly concurrency?: number | undefined;
  /** Opens the transaction for the handler of a claimed id. */
  begin?(id: string, details: ClaimDetails): Promise<DedupeTransaction<Transaction>>;
}

/** The row or key that keeps the latest status of a transaction (receiver option `order`). */
export const rankId = (id: string) => `order:${id}`;
