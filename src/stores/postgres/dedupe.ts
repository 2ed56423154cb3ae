import { ConfigurationError } from '../../errors/usage.js';
import { redactedStoreError } from '../../redact/cause.js';
import { listIssues } from '../../validation/issue.js';
import { aBoolean, type Readers, readIf, readOptions } from '../../validation/options.js';
import { isRecord } from '../../validation/record.js';
import type { ClaimAnswer, ClaimDetails, DedupeStore } from '../../webhooks/dedupe-store.js';
import { deliveriesTable, isTableName } from '../table-names.js';
import {
  ask,
  explained,
  onceOn,
  type PostgresClient,
  type PostgresPool,
  watchNewConnections,
  yesOrNo,
} from './client.js';
import { type PostgresStatements, statementsFor } from './dedupe-sql.js';
import { beginTransaction } from './dedupe-transaction.js';

/** Options of `postgresDedupe`. */
export interface PostgresDedupeOptions {
  /** The table, which may be `schema.table`. Default `payment_platform_deliveries`. */
  table?: string | undefined;
  /** Whether a handler runs in a transaction in which the delivery is marked as done. Default false. */
  transaction?: boolean | undefined;
}

const readers: Readers<PostgresDedupeOptions> = {
  table: readIf(isTableName, 'must be a plain name of a table, or schema.table'),
  transaction: aBoolean,
};

/**
 * Remembers deliveries in PostgreSQL 11 or newer, through your own pool of `pg`. Create its table with
 * `postgresDedupeSql()` first. A step is one statement, and no lock is held while a handler runs, but for the
 * state of its transaction with `transaction: true` and `order`: those of one transaction wait for one
 * another, for five seconds at most.
 *
 * With `transaction: true` a handler gets `delivery.transaction`, a client inside an open transaction. What it
 * writes there and the mark that the delivery is done commit together or not at all: an effect in that
 * database happens exactly once, even if the process dies at any moment. A handler takes a client of the
 * pool for as long as it runs, so a receiver handles at most half of the pool's `max` at once (`concurrency`).
 *
 * @throws ConfigurationError for anything but such a pool, and for an unknown or wrong option.
 * @example
 * ```ts
 * const receiver = createReceiver({
 *   secret,
 *   dedupe: postgresDedupe(pool, { transaction: true }),
 *   on: {
 *     'transaction.paid': (event, { transaction }) =>
 *       transaction.query('UPDATE orders SET paid = true WHERE id = $1', [event.externalReference]),
 *   },
 * });
 * ```
 */
export function postgresDedupe<Client extends PostgresClient = PostgresClient>(
  pool: PostgresPool<Client>,
  options: PostgresDedupeOptions & { transaction: true },
): DedupeStore<Client>;
export function postgresDedupe(pool: PostgresPool, options?: PostgresDedupeOptions): DedupeStore;
export function postgresDedupe(
  pool: PostgresPool,
  options: PostgresDedupeOptions = {},
): DedupeStore<PostgresClient> | DedupeStore {
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(listIssues('postgresDedupe', issues));
  if (!isPool(pool))
    throw new ConfigurationError(
      'postgresDedupe takes a pool of pg: new Pool({ connectionString: url }). A URL or a single client is not a pool.',
    );
  watchNewConnections(pool);
  const { table = deliveriesTable } = value;
  const sql = statementsFor(table);
  const store = new PostgresDedupe(pool, table, sql);
  if (value.transaction !== true) return store;
  // Half of the pool: a handler that also queries the pool itself cannot use up the connections it waits for.
  const max = pool.options?.max;
  const concurrency = max === undefined ? undefined : Math.max(1, Math.floor(max / 2));
  return Object.assign(store, { begin: () => beginTransaction(pool, sql), concurrency });
}

class PostgresDedupe implements DedupeStore {
  readonly #pool: PostgresPool;
  readonly #table: string;
  readonly #sql: PostgresStatements;
  /** Not in the first minute, when the table may be new, nor at each start of a short process. */
  #nextCleaning = performance.now() + 60_000;

  constructor(pool: PostgresPool, table: string, sql: PostgresStatements) {
    this.#pool = pool;
    this.#table = table;
    this.#sql = sql;
  }

  claim(id: string, lease: number, { holder, digest }: ClaimDetails): Promise<ClaimAnswer> {
    this.#clean();
    const values = [id, holder, digest, lease];
    return this.#run((client) => ask(client, this.#sql.claim, values)) as Promise<ClaimAnswer>;
  }

  async renew(id: string, lease: number, details: ClaimDetails): Promise<boolean> {
    return (await this.claim(id, lease, details)) === 'claimed';
  }

  complete(id: string, keepFor: number, { holder, digest }: ClaimDetails): Promise<boolean> {
    return this.#run((client) => yesOrNo(client, this.#sql.complete, [id, holder, digest, keepFor]));
  }

  async release(id: string, { holder }: ClaimDetails): Promise<void> {
    await this.#run((client) => client.query(this.#sql.release, [id, holder]));
  }

  advance(id: string, rank: number, keepFor: number): Promise<boolean> {
    return this.#run((client) => yesOrNo(client, this.#sql.advance, [`order:${id}`, rank, keepFor]));
  }

  /** Runs one statement outside a transaction. */
  async #run<Answer>(statement: (client: PostgresClient) => Promise<Answer>): Promise<Answer> {
    try {
      return await onceOn(this.#pool, statement);
    } catch (error) {
      throw redactedStoreError(explained(error, this.#table, 'postgresDedupeSql'));
    }
  }

  /** Deletes expired rows, at most once a minute and a thousand at a time. A claim does not wait for it. */
  #clean(): void {
    if (performance.now() < this.#nextCleaning) return;
    this.#nextCleaning = performance.now() + 60_000;
    this.#run((client) => client.query(this.#sql.clean)).catch(() => {});
  }
}

/** A single client of pg has `connect` as well, but also members that a pool has not. */
const isPool = (given: unknown): boolean =>
  isRecord(given) && typeof given.connect === 'function' && !('release' in given || 'escapeLiteral' in given);
