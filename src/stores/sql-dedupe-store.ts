import { Cleaning } from './cleaning.js';
import { type ClaimDetails, type ClaimResult, type DedupeStore, rankId } from './dedupe-store.js';
import type { DedupeStatements } from './deliveries-sql.js';

/** Runs a statement with `$1`, `$2`, … as parameters, and returns its rows. */
export type RunStatement = (
  text: string,
  values: unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export class SqlDedupe implements DedupeStore {
  readonly #sql: DedupeStatements;
  readonly #run: RunStatement;
  readonly #cleaning = new Cleaning();

  /** @param run also makes the errors safe to log */
  constructor(sql: DedupeStatements, run: RunStatement) {
    this.#sql = sql;
    this.#run = run;
  }

  async claim(id: string, lease: number, { holder, digest }: ClaimDetails): Promise<ClaimResult> {
    this.#cleaning.start(() => this.#run(this.#sql.clean, []));
    if (await this.#changes(this.#sql.claim, id, holder, Math.ceil(lease))) return 'claimed';
    // If the row has expired between the two statements, the claim counts as busy, and the platform retries
    // the delivery.
    const [row] = await this.#run(this.#sql.digest, [id]);
    if (typeof row?.digest !== 'string') return 'busy';
    return row.digest === digest ? 'done' : 'changed';
  }

  async renew(id: string, lease: number, details: ClaimDetails): Promise<boolean> {
    return (await this.claim(id, lease, details)) === 'claimed';
  }

  complete(id: string, keepFor: number, { holder, digest }: ClaimDetails): Promise<boolean> {
    return this.#changes(this.#sql.complete, id, holder, digest, Math.ceil(keepFor));
  }

  async release(id: string, { holder }: ClaimDetails): Promise<void> {
    await this.#run(this.#sql.release, [id, holder]);
  }

  advance(id: string, rank: number, keepFor: number): Promise<boolean> {
    return this.#changes(this.#sql.advance, rankId(id), rank, Math.ceil(keepFor));
  }

  async #changes(text: string, ...values: unknown[]): Promise<boolean> {
    return (await this.#run(text, values)).length === 1;
  }
}
