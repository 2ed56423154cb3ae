import type { EncryptionKeys } from '../auth/sealed-text.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { ConfigurationError, ValidationError } from '../errors/usage.js';
import type { RowState } from '../stores/payment-row.js';
import type { StateCount } from '../stores/payment-store.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
import {
  functionReader,
  type OptionReader,
  type OptionReaders,
  oneOf,
  readOptions,
  required,
} from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import type { Merchant } from './merchant-store.js';
import {
  type FormerMerchant,
  findUndefinedClient,
  keyReader,
  type ListRequestsOptions,
  optionReadersForList,
  optionReadersForObserve,
  type SettleDueOptions,
} from './method-options.js';
import {
  type DurableOptions,
  optionReaders,
  pursuitReader,
  type ResolvedOptions,
  resolveDurableOptions,
  shorterThan,
} from './options.js';
import type { DurableRecord } from './recorded-request.js';
import { RecordedRows } from './recorded-rows.js';
import { type Recordable, Recorder } from './recorder.js';
import { requestKeyIsHeld, requestNotFound, requestNotSettled, requestStoreFailed } from './request-error.js';
import { type RequestKind, RequestSettler } from './request-settler.js';
import type { Attempted } from './settler.js';
import type { RunOptions } from './worker.js';

type Shared =
  | 'store'
  | 'timeout'
  | 'lease'
  | 'giveUpAfter'
  | 'retryDelay'
  | 'maxRetryDelay'
  | 'erasePayloadsAfter'
  | 'onError';

/** The options of `createDurableWithdrawals` and `createDurableOnboarding`. Durations are in milliseconds. */
export interface DurableRequestOptions<Transaction = never, Result extends object = object>
  extends Pick<DurableOptions<Transaction>, Shared>,
    Required<Pick<DurableOptions<Transaction>, 'encryptionKeys'>> {
  /** A hook for a request that this process has settled. */
  onSettled?: ((record: DurableRecord<Result>) => unknown) | undefined;
  /**
   * A hook for a request that has failed. As far as the SDK can tell, the platform has not executed it. Default:
   * `onError`, unless the call that recorded the request throws the error.
   */
  onFailed?: ((record: DurableRecord<Result>) => unknown) | undefined;
  /** A hook for a withdrawal that may have been executed, so that a person must decide. Default: `onError`. */
  onInDoubt?: ((record: DurableRecord<Result>) => unknown) | undefined;
  /** A hook for a registration that the SDK has given up. Default: `onError`. */
  onGivenUp?: ((record: DurableRecord<Result>) => unknown) | undefined;
  /** Reports a request that the platform rejects for a reason that only you can repair. Default: `onError`. */
  onBlocked?: ((record: DurableRecord<Result>) => unknown) | undefined;
}

/** Options for recording a withdrawal or registration. */
export interface RecordRequestOptions {
  /** The key that identifies the request. A later call with the same key never creates a second one. */
  key: string;
  /** How long the SDK keeps sending this request, in milliseconds. Default: the option of the function. */
  giveUpAfter?: number | undefined;
}

/** Options for recording a withdrawal or registration in a transaction. */
export interface EnqueueRequestOptions<Transaction> extends RecordRequestOptions {
  /** The database client inside your open transaction. Default: recorded immediately. */
  client?: Transaction | undefined;
}

/** A settled withdrawal or registration. */
export interface SettledRequest<Result extends object> {
  /** The platform's response. */
  readonly result: Result;
  /** The record. */
  readonly record: DurableRecord<Result>;
}

const requestOptionReaders: OptionReaders<DurableRequestOptions<unknown>> = {
  store: optionReaders.store,
  timeout: optionReaders.timeout,
  lease: optionReaders.lease,
  giveUpAfter: optionReaders.giveUpAfter,
  retryDelay: optionReaders.retryDelay,
  maxRetryDelay: optionReaders.maxRetryDelay,
  encryptionKeys: required(
    optionReaders.encryptionKeys,
    'is required, because the recorded requests contain personal or bank data: 32 bytes, as bytes or base64',
  ) as OptionReader<EncryptionKeys>,
  erasePayloadsAfter: optionReaders.erasePayloadsAfter,
  onSettled: functionReader(),
  onFailed: functionReader(),
  onInDoubt: functionReader(),
  onGivenUp: functionReader(),
  onBlocked: functionReader(),
  onError: functionReader(),
};

const listReaders: OptionReaders<ListRequestsOptions> = {
  state: oneOf('recorded', 'blocked', 'sending', 'unknown', 'settled', 'failed', 'given_up', 'in_doubt'),
  olderThan: optionReadersForList.olderThan,
  after: optionReadersForList.after,
  limit: optionReadersForList.limit,
};

const createReaders: OptionReaders<RecordRequestOptions> = { key: keyReader, giveUpAfter: pursuitReader };
const enqueueReaders: OptionReaders<EnqueueRequestOptions<unknown>> = {
  ...createReaders,
  client: optionReadersForObserve.client,
};

type ReadPayload<Payload> = () => PayloadRead<Payload> | Promise<PayloadRead<Payload>>;

export interface PayloadRead<Payload> {
  readonly payload?: Payload | undefined;
  readonly issues: readonly Issue[];
}

/** The common part of durable withdrawals and durable onboarding. Callers do not see it. */
export class RequestEngine<Transaction, Payload extends object, Result extends object> {
  readonly rows: RecordedRows<Transaction, Result, DurableRecord<Result>>;
  readonly settler: RequestSettler<Transaction, Payload, Result>;
  readonly #options: ResolvedOptions<Transaction>;
  readonly #recorder: Recorder<Transaction, Payload>;

  constructor(
    who: string,
    kind: RequestKind<Payload, Result>,
    merchant: Merchant | undefined,
    options: DurableRequestOptions<Transaction, Result>,
  ) {
    if (!isRecord(merchant))
      throw new ConfigurationError(`${who} takes the client first: new PaymentPlatform(options).`);
    const readers = requestOptionReaders as unknown as typeof optionReaders;
    this.#options = resolveDurableOptions(who, options, merchant, kind, readers);
    this.settler = new RequestSettler(kind, this.#options);
    this.rows = new RecordedRows(this.#options, this.settler, (key) => requestNotFound(kind, key));
    this.#recorder = new Recorder(this.#options, this.settler.codec, kind, (key, cause) =>
      requestKeyIsHeld(kind, key, cause),
    );
  }

  async create(read: ReadPayload<Payload>, options: RecordRequestOptions): Promise<SettledRequest<Result>> {
    const input = await this.#checked(read, options, createReaders as typeof enqueueReaders);
    return this.#withKey(input, async () => {
      const { isNew, ...held } = await this.#recorder.record(input, 'sending');
      return this.result(await (isNew ? this.settler.attempt(held, true) : this.rows.pursue(held.row)));
    });
  }

  async enqueue(
    read: ReadPayload<Payload>,
    options: EnqueueRequestOptions<Transaction>,
  ): Promise<DurableRecord<Result>> {
    const input = await this.#checked(read, options, enqueueReaders);
    return this.#withKey(input, async () => {
      const { row } = await this.#recorder.record(input, 'recorded');
      return this.settler.toRecord(row);
    });
  }

  /** A failure in the caller's transaction stays, so that it can be repeated. */
  async #withKey<Value>(
    { key, client }: Recordable<Transaction, Payload>,
    work: () => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (isPaymentPlatformError(error) || client !== undefined) throw error;
      throw requestStoreFailed(this.settler.kind, key, error);
    }
  }

  async #checked(read: ReadPayload<Payload>, options: unknown, readers: typeof enqueueReaders) {
    const accepted = readOptions(options ?? {}, readers);
    const { key = '', client, giveUpAfter = this.#options.giveUpAfter } = accepted.value ?? {};
    const { timeout } = this.#options;
    const tooShort: Issue[] =
      giveUpAfter < timeout ? [{ path: 'giveUpAfter', message: shorterThan(timeout, giveUpAfter) }] : [];
    const { payload, issues: found } = await read();
    const issues = [
      ...prefixIssues('options', [...accepted.issues, ...findUndefinedClient(options), ...tooShort]),
      ...found,
    ];
    if (issues.length > 0 || payload === undefined)
      throw new ValidationError(`The durable ${this.settler.kind.noun}`, issues);
    const transaction = client as Transaction | undefined;
    return { key, client: transaction, payload, reference: key, giveUpAfter, refreshFor: giveUpAfter };
  }

  async result({ row, result, error }: Attempted<Result>): Promise<SettledRequest<Result>> {
    const record = await this.settler.toRecord(row);
    const known = result ?? (row.state === 'settled' ? record.result : undefined);
    if (known !== undefined) return { result: known, record };
    throw requestNotSettled(this.settler.kind, record, error);
  }
}

/** The common methods of durable withdrawals and durable onboarding. */
export abstract class DurableRequests<Transaction, Payload extends object, Result extends object> {
  readonly #engine: RequestEngine<Transaction, Payload, Result>;

  constructor(engine: RequestEngine<Transaction, Payload, Result>) {
    this.#engine = engine;
  }

  /**
   * Sends or resumes a recorded request, and resolves with its result. `settle` rejects if the job should run
   * again later (`record.dueAt`), or if the request has ended without a result.
   *
   * @throws DurableRequestError
   * @throws the store's error: for PostgreSQL a StoreError, without data of the row
   */
  async settle(key: string): Promise<SettledRequest<Result>> {
    const { rows } = this.#engine;
    return this.#engine.result(await rows.pursue(await rows.found(key)));
  }

  /**
   * Attempts at most `limit` due requests, once each, and returns the number of claimed requests. By default, 100
   * withdrawals or 4 registrations, whose files are read at the same time.
   */
  async settleDue(options: SettleDueOptions = {}): Promise<number> {
    return this.#engine.rows.settleDue(options);
  }

  /**
   * Settles due requests until the signal aborts, including requests left behind by dead processes.
   *
   * @throws only ConfigurationError, for a wrong option
   */
  run(options: RunOptions<DurableRecord<Result>> = {}): Promise<void> {
    return this.#engine.rows.run(options);
  }

  /** Finds the record of a key. Returns undefined if the key has no record. */
  find(key: string): Promise<DurableRecord<Result> | undefined> {
    return this.#engine.rows.find(key);
  }

  /**
   * Finds the body that a key sends: of a withdrawal, or of a registration with the size of each file. It contains personal data. Returns
   * undefined if the key has no record, or if its payload was erased.
   *
   * @throws Error if this process cannot decrypt the payload, or if it was changed
   */
  findPayload(key: string): Promise<object | undefined> {
    return this.#engine.rows.findPayload(key);
  }

  /** Lists requests, ordered by key. */
  list(options: ListRequestsOptions = {}): Promise<readonly DurableRecord<Result>[]> {
    return this.#engine.rows.list(options, listReaders);
  }

  /** Counts the requests in each state except `settled`, with the age of the oldest in milliseconds. */
  async counts(): Promise<readonly StateCount<RowState>[]> {
    return this.#engine.rows.counts();
  }

  /**
   * Cancels a request that the SDK gave up on, or that has not been executed yet. Returns false if it is too late,
   * or if the key has no record.
   */
  cancel(key: string): Promise<boolean> {
    return this.#engine.rows.cancel(key);
  }

  /**
   * Sends a failed or given-up request again, for its `giveUpAfter`. Returns false for a request in any other
   * state, or without a payload.
   */
  retry(key: string): Promise<boolean> {
    return this.#engine.rows.retry(key);
  }

  /** Takes over the requests of this merchant's former client id or base address, as for payments. */
  adopt(former: FormerMerchant): Promise<number> {
    return this.#engine.rows.adopt(former);
  }

  /**
   * Erases the recorded payload, and the response except its id and status. Returns false if no settled or failed
   * request has the key.
   */
  forget(key: string): Promise<boolean> {
    return this.#engine.rows.forget(key);
  }
}
