/** The options of a receiver process. */
export interface ReceiverProcessOptions {
  /** The store. A scenario makes a `faulty` store lose data, so every handler run is written to `log`. */
  readonly store: 'postgres' | 'faulty redis' | 'faulty postgres';
  /** The store's address. Default: `POSTGRES_URL`. */
  readonly url?: string;
  /** The file that records every run. */
  readonly log?: string;
  /** The process's name, unique in the run. */
  readonly name: string;
  /** The prefix of its Redis keys, or its PostgreSQL schema. */
  readonly space: string;
  readonly secret: string;
  /** The lease of a claim, in milliseconds. */
  readonly lease: number;
}

/** A line of the file `log`. Times are the system's, because all processes run on one machine. */
export interface LogLine {
  /**
   * The kind of line. `overtaken`: `onError` reported a lost claim. `unmarked`: marking the delivery as done
   * failed at least once.
   */
  readonly what: 'start' | 'effect' | 'overtaken' | 'unmarked';
  readonly at: number;
  readonly process: string;
  readonly event: string;
  /** The run, for a start or an effect. */
  readonly run?: string;
}
