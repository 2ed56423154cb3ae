import { ValidationError } from '../errors/usage.js';
import { issuesAt } from '../validation/issue.js';
import {
  type Accepted,
  aBoolean,
  anInteger,
  anything,
  invalidIf,
  type OptionReaders,
  oneOf,
  readOptions,
  required,
  validIf,
} from '../validation/options.js';
import type { DurableState } from './payment-row.js';

/** How a payment is recorded. */
export interface RecordOptions {
  /** The idempotency key of every attempt, made of your order: `order-1042`. ASCII, at most 255 characters. */
  key: string;
  /** Further fields of the body, under their names on the wire. They are recorded as well. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** How a payment is recorded in a transaction. */
export interface EnqueueOptions<Transaction> extends RecordOptions {
  /** The client inside your open transaction: the payment is recorded if that commits. Without it, at once. */
  client?: Transaction | undefined;
}

/** How a notification is applied. */
export interface ObserveOptions<Transaction> {
  /** Your open transaction: in a receiver over `postgresDedupe(pool, { transaction: true })`, the handler's. */
  client?: Transaction | undefined;
}

/** How a settled payment is refreshed. */
export interface RefreshOptions {
  /** Whether to send a key that the platform may not know, which can be the first charge. Default false. */
  mayCharge?: boolean | undefined;
}

/** Which payments `list` gives. */
export interface ListOptions {
  /** Only those in this state. */
  state?: DurableState | undefined;
  /** Only payments recorded at least this long ago, in milliseconds. */
  olderThan?: number | undefined;
  /** Only those after this key: the last one of the list before. */
  after?: string | undefined;
  /** How many at most. Default 100. */
  limit?: number | undefined;
}

/** How much `settleDue` does. */
export interface SettleDueOptions {
  /** How many payments at most, all at once. Default 100. */
  limit?: number | undefined;
}

const aLimit = anInteger(1, 'a number of payments');

export const settleDueReaders: OptionReaders<SettleDueOptions> = { limit: aLimit };

export const listReaders: OptionReaders<ListOptions> = {
  state: oneOf('recorded', 'sending', 'unknown', 'settled', 'failed', 'given_up'),
  olderThan: anInteger(0, 'milliseconds'),
  after: validIf((value) => typeof value === 'string', 'must be a key'),
  limit: aLimit,
};

/** @throws ValidationError naming every wrong option. */
export function checkedOptions<Options extends object>(
  subject: string,
  input: unknown,
  optionReaders: OptionReaders<Options>,
): Accepted<OptionReaders<Options>> {
  const { value, issues } = readOptions(input, optionReaders);
  if (issues.length > 0 || value === undefined)
    throw new ValidationError(`durable payments, ${subject}`, issuesAt('options', issues));
  return value;
}

/** `create` takes no client: its row must be committed before anything is sent. */
export const createReaders: OptionReaders<RecordOptions> = {
  key: required(
    validIf((value) => typeof value === 'string' && value !== '', 'must be a non-empty string'),
    'is required. Pass the idempotency key, such as your order number',
  ),
  extraBody: anything(),
};

const client = invalidIf<unknown>((value) =>
  value === null ? 'must be the client of a transaction, not null' : undefined,
);

export const enqueueReaders: OptionReaders<EnqueueOptions<unknown>> = { ...createReaders, client };

export const observeReaders: OptionReaders<ObserveOptions<unknown>> = { client };

export const refreshReaders: OptionReaders<RefreshOptions> = { mayCharge: aBoolean };
