/** What a process of a receiver is started with. */
export interface ReceiverProcessOptions {
  /** With `faulty` in its name: a store that loses what it knows, and runs that are written to a file. */
  readonly store: 'redis' | 'postgres' | 'faulty redis' | 'faulty postgres';
  /** Where the store is. Default: `REDIS_URL` or `POSTGRES_URL`. */
  readonly url?: string;
  /** The file to which every run is written. */
  readonly log?: string;
  /** Its name, which no other process of the run has. */
  readonly name: string;
  /** The prefix of its keys in Redis, or its schema in PostgreSQL. */
  readonly space: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly lease: number;
}

/** A line of the file. Times are those of the system: all processes are on one machine. */
export interface LogLine {
  /** `overtaken`: the merchant was told so. `unmarked`: a mark failed, at least once. */
  readonly what: 'start' | 'effect' | 'overtaken' | 'unmarked';
  readonly at: number;
  readonly process: string;
  readonly event: string;
  /** Of a start and an effect. */
  readonly run?: string;
}
