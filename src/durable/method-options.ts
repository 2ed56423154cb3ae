import { missingValue } from '../contract/patterns.js';
import { ValidationError } from '../errors/usage.js';
import type { DurableState, RowState } from '../stores/payment-row.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
import {
  type Accepted,
  anything,
  booleanReader,
  integerReader,
  invalidIf,
  type OptionReaders,
  oneOf,
  readOptions,
  required,
  validIf,
} from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import type { Merchant } from './merchant-store.js';
import { pursuitReader } from './options.js';

/** Options for recording a payment. */
export interface RecordOptions {
  /**
   * The idempotency key for every attempt. Derive the key from your order, for example `order-1042`. The key
   * must be ASCII and at most 255 characters long.
   */
  key: string;
  /** Additional body fields, with their names on the wire. The SDK also records these fields. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** How long the SDK keeps sending this payment, in milliseconds. Default: the option of `createDurablePayments`. */
  giveUpAfter?: number | undefined;
  /**
   * How long `refresh` can ask for this payment's status, in milliseconds. Default: this payment's own
   * `giveUpAfter`, or else the option of `createDurablePayments`.
   */
  refreshFor?: number | undefined;
}

/** Options for recording a payment in a transaction. */
export interface EnqueueOptions<Transaction> extends RecordOptions {
  /**
   * The database client inside your open transaction. The payment is recorded if the transaction commits.
   * Default: recorded immediately.
   */
  client?: Transaction | undefined;
}

/** Options for applying a notification. */
export interface ObserveOptions<Transaction> {
  /**
   * Your open transaction. In a receiver with `postgresDedupe(pool, { transaction: true })`, pass the
   * handler's `transaction`.
   */
  client?: Transaction | undefined;
}

/** Options for refreshing a settled payment. */
export interface RefreshOptions {
  /**
   * Whether to send a key that the platform might not know. The request can then be the first to charge the
   * customer. Default false.
   */
  mayCharge?: boolean | undefined;
}

/** The former credentials of `adopt`. Pass the parts that have changed. */
export type FormerMerchant = { readonly [Name in keyof Merchant]?: Merchant[Name] | undefined };

/** The filter of `list`. */
export interface ListOptions {
  /** Returns only payments in this state. */
  state?: DurableState | undefined;
  /** Returns only payments recorded at least this many milliseconds ago. */
  olderThan?: number | undefined;
  /**
   * Returns only the payments that come after this key. To get the next list, pass the last key of the
   * current one.
   */
  after?: string | undefined;
  /** The maximum number of payments. Default 100. */
  limit?: number | undefined;
}

/** The filter of `list`. */
export interface ListRequestsOptions {
  /** Returns only requests in this state. */
  state?: RowState | undefined;
  /** Returns only requests recorded at least this many milliseconds ago. */
  olderThan?: number | undefined;
  /** Returns only the requests that come after this key. */
  after?: string | undefined;
  /** The maximum number of requests. Default 100. */
  limit?: number | undefined;
}

/** The options of `settleDue`. */
export interface SettleDueOptions {
  /**
   * The maximum number of payments per call. `settleDue` attempts all of them at the same time. Default
   * 100, for registrations 4.
   */
  limit?: number | undefined;
}

const aLimit = integerReader(1, 'a number of payments');

export const settleDueReaders: OptionReaders<SettleDueOptions> = { limit: aLimit };

export const optionReadersForList: OptionReaders<ListOptions> = {
  state: oneOf('recorded', 'blocked', 'sending', 'unknown', 'settled', 'failed', 'given_up'),
  olderThan: integerReader(0, 'milliseconds'),
  after: validIf((value) => typeof value === 'string', 'must be a key'),
  limit: aLimit,
};

export function checkMethodOptions<Options extends object>(
  subject: string,
  input: unknown,
  optionReaders: OptionReaders<Options>,
): Accepted<OptionReaders<Options>> {
  const read = readOptions(input, optionReaders);
  const [value, issues] = [read.value, [...read.issues, ...findUndefinedClient(input)]];
  if (issues.length > 0 || value === undefined)
    throw new ValidationError(subject, prefixIssues('options', issues));
  return value;
}

/** Leaves out `client`: the row of `create` must be committed before anything is sent. */
export const optionReadersForCreate: OptionReaders<RecordOptions> = {
  key: required(
    validIf((value) => typeof value === 'string' && value !== '', 'must be a non-empty string'),
    'is required. Pass the idempotency key, such as your order number',
  ),
  extraBody: anything(),
  giveUpAfter: pursuitReader,
  refreshFor: pursuitReader,
};

/** With an undefined `client`, the step would run outside the caller's transaction. */
export const findUndefinedClient = (options: unknown): Issue[] =>
  isRecord(options) && Object.hasOwn(options, 'client') && options.client === undefined
    ? [{ path: 'client', message: 'is undefined. Pass your open transaction, or leave the option out' }]
    : [];

/** The key of a request that the platform does not see, or that the operation's own rules check. */
export const keyReader = required(
  invalidIf<string>((value) => {
    if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(value))
      return 'must be a non-empty string of at most 255 ASCII characters';
    const missing = missingValue(value);
    return missing && `contains ${missing}, so a value was missing when it was built`;
  }),
  'is required. Pass a key that you have stored with the request',
);

const client = invalidIf<unknown>((value) =>
  value === null ? 'must be the client of a transaction, not null' : undefined,
);

export const optionReadersForEnqueue: OptionReaders<EnqueueOptions<unknown>> = {
  ...optionReadersForCreate,
  client,
};

export const optionReadersForObserve: OptionReaders<ObserveOptions<unknown>> = { client };

const isText = (value: unknown) => typeof value === 'string' && value !== '';

export const optionReadersForAdopt: OptionReaders<FormerMerchant> = {
  baseUrl: validIf(
    (value) => isText(value) && URL.canParse(String(value)),
    'must be the former base address',
  ),
  clientId: validIf(isText, 'must be the former client id'),
};

export const optionReadersForRefresh: OptionReaders<RefreshOptions> = { mayCharge: booleanReader };
