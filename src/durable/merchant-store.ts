import { isPaymentPlatformError } from '../errors/base.js';
import { redactStoreError, redactTransactionError } from '../redact/cause.js';
import {
  isKnownFormat,
  type NewRow,
  type PaymentRow,
  type RowChange,
  type RowState,
} from '../stores/payment-row.js';
import type { Claim, PaymentStore, RowFilter, RowId, StateCount } from '../stores/payment-store.js';
import { isRecord } from '../validation/record.js';
import type { Kind } from './kind.js';

/** The merchant whose payments a client sends. */
export interface Merchant {
  /** The base address of the platform. */
  readonly baseUrl: string;
  /** The public identifier of the credential. */
  readonly clientId: string;
}

export async function computeMerchant({ baseUrl, clientId }: Merchant): Promise<string> {
  const bytes = new TextEncoder().encode(`${new URL(baseUrl).href.replace(/\/+$/, '')} ${clientId}`);
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Errors of the store show no query and no value of a row, also in a caller's transaction. */
export class MerchantStore<Transaction> {
  readonly #store: PaymentStore<Transaction>;
  readonly #merchant: Merchant;
  readonly #scope: string;
  #digest: Promise<string> | undefined;

  constructor(store: PaymentStore<Transaction>, merchant: Merchant, scope: Kind['scope']) {
    this.#store = store;
    this.#merchant = merchant;
    this.#scope = scope;
  }

  insert(row: Omit<NewRow, 'merchant'>, transaction?: Transaction) {
    return this.#step((merchant) => this.#store.insert({ merchant, ...row }, transaction), row, transaction);
  }

  find(key: string, transaction?: Transaction) {
    return this.#step((merchant) => this.#store.find(merchant, key, transaction), undefined, transaction);
  }

  findByPayment(id: string, reference: string | undefined, transaction?: Transaction) {
    return this.#step(
      (merchant) => this.#store.findByPayment(merchant, id, reference, transaction),
      undefined,
      transaction,
    );
  }

  claim(claim: Omit<Claim, 'merchant'>): Promise<readonly PaymentRow[]> {
    return this.#step((merchant) => this.#store.claim({ merchant, ...claim }));
  }

  async update(
    row: RowId & Pick<PaymentRow, 'version'>,
    change: RowChange,
    transaction?: Transaction,
  ): Promise<boolean> {
    if (!isKnownFormat(row)) return false;
    return this.#step(() => this.#store.update(row, change, transaction), change, transaction);
  }

  erase(row: RowId, reduced: string | null): Promise<boolean> {
    return this.#step(() => this.#store.erase(row, reduced), { reduced });
  }

  list(filter: Omit<RowFilter, 'merchant'>): Promise<readonly PaymentRow[]> {
    return this.#step((merchant) => this.#store.list({ merchant, ...filter }));
  }

  listErasable(age: number, limit: number, after: string | undefined): Promise<readonly PaymentRow[]> {
    return this.#step((merchant) => this.#store.listErasable(merchant, age, limit, after));
  }

  counts(): Promise<readonly StateCount<RowState>[]> {
    return this.#step((merchant) => this.#store.counts(merchant));
  }

  get countedRows() {
    const { baseUrl, clientId } = this.#merchant;
    return {
      table: this.#store,
      merchant: `${baseUrl} ${clientId}${this.#scope}`,
      count: () => this.counts(),
    };
  }

  async adopt({
    baseUrl = this.#merchant.baseUrl,
    clientId = this.#merchant.clientId,
  }: { readonly [Name in keyof Merchant]?: Merchant[Name] | undefined }): Promise<number> {
    const digest = (await computeMerchant({ baseUrl, clientId })) + this.#scope;
    return this.#step((merchant) => (digest === merchant ? 0 : this.#store.adopt(merchant, digest)));
  }

  /** A database's error in the caller's transaction becomes a `StoreError`. */
  async #step<Result>(
    run: (merchant: string) => Result | Promise<Result>,
    row?: unknown,
    transaction?: Transaction,
  ): Promise<Result> {
    this.#digest ??= computeMerchant(this.#merchant);
    const merchant = (await this.#digest) + this.#scope;
    try {
      return await run(merchant);
    } catch (error) {
      if (isPaymentPlatformError(error)) throw error;
      const redact = transaction === undefined ? redactStoreError : redactTransactionError;
      throw redact(error, readable(row));
    }
  }
}

/** Parses the JSON columns of a row, so that an error can be searched for every value in them. */
function readable(row: unknown): unknown {
  if (!isRecord(row)) return row;
  return Object.entries(row).map(([name, value]) => {
    try {
      return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : { [name]: value };
    } catch {
      return value;
    }
  });
}
