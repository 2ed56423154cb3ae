/** What a process of a receiver is started with. */
export interface ReceiverProcessOptions {
  readonly store: 'redis' | 'postgres';
  /** Its name, which no other process of the run has. */
  readonly name: string;
  /** The prefix of its keys in Redis, or its schema in PostgreSQL. */
  readonly space: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly lease: number;
}
