import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface StoredReply extends Reply {
  readonly digest: string;
}

/** Only for operations whose `repeatedKeyGets` is `first-response` (API docs, Errors, idempotency rule 1). */
export class KeyedReplies {
  readonly #kept: Table<StoredReply>;

  constructor(tables: TableFactory) {
    this.#kept = tables.table('replies');
  }

  recall(key: string, digest: string): Reply | 'reused' | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    return kept.digest === digest ? kept : 'reused';
  }

  keep(key: string, digest: string, { status, body }: Reply): void {
    this.#kept.set(key, { digest, status, body });
  }
}
