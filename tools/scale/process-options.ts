/** The options of a receiver process. */
export interface ReceiverProcessOptions {
  /** With `faulty` in its name: a store that loses data, with all runs written to a file. */
  readonly store: 'redis' | 'postgres' | 'faulty redis' | 'faulty postgres';
  /** The store's address. Default: `REDIS_URL` or `POSTGRES_URL`. */
  readonly url?: string;
  /** The file that records every run. */
  readonly log?: string;
  /** Its name, which no other process of the run has. */
  readonly name: string;
  /** The prefix of its keys in Redis, or its schema in PostgreSQL. */
  readonly space: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly lease: number;
}

/** A line of the file. Times are the system's, because all processes are on one machine. */
export interface LogLine {
  /** `overtaken`: the merchant was informed. `unmarked`: a mark failed at least once. */
  readonly what: 'start' | 'effect' | 'overtaken' | 'unmarked';
  readonly at: number;
  readonly process: string;
  readonly event: string;
  /** Of a start and an effect. */
  readonly run?: string;
}
