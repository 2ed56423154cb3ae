import { createSealer, type EncryptionKeys, type Sealer } from '../auth/sealed-text.js';
import { StoreError } from '../errors/store.js';
import { acceptOptions, ConfigurationError } from '../errors/usage.js';
import type { PaymentStore } from '../stores/payment-store.js';
import { type Telemetry, telemetryReader } from '../telemetry/telemetry.js';
import { isBytes } from '../validation/builtins.js';
import {
  functionReader,
  integerReader,
  type OptionReaders,
  required,
  validIf,
} from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import { longestTimer } from '../validation/time-limit.js';
import type { Kind } from './kind.js';
import { type Merchant, MerchantStore } from './merchant-store.js';
import type { PaymentRecord } from './payment-record.js';
import { RecordedError } from './recorded-error.js';

/** Details of an error, for `onError`. */
export interface DurableFailure {
  /**
   * The failed step: a step of the store, a hook, `conflict` for a payment that contradicts the recorded
   * one, `send` for a request that the platform rejects until somebody repairs the configuration and for a
   * payment or request that has ended as `failed`, `given_up` or `in_doubt`, `foreign` for due payments of
   * other merchants in the same table, or `overdue` for payments that stay open (`overdueAfter` of `run`).
   */
  readonly during:
    | 'claim'
    | 'read'
    | 'send'
    | 'update'
    | 'erase'
    | 'conflict'
    | 'foreign'
    | 'hook'
    | 'overdue';
  /** The idempotency key of the affected payment, if there is one. */
  readonly key?: string | undefined;
}

/** The options of `createDurablePayments`. Durations are in milliseconds. */
export interface DurableOptions<Transaction = never, Extra extends object = object> {
  /**
   * Where payments are stored: `postgresPayments(pool)`, `sqlitePayments(database)`, `memoryPayments()` or
   * your own store. Several merchants can share a table. Each payment belongs to the client's base address and
   * client id, and only a client with both sends it.
   */
  store: PaymentStore<Transaction>;
  /** The maximum duration of an attempt. Default 30,000. */
  timeout?: number | undefined;
  /**
   * How long other processes wait before they take over a dead process's payments. The lease must exceed
   * `timeout`. Default: twice the timeout.
   */
  lease?: number | undefined;
  /**
   * How long the SDK keeps sending a payment after recording it, at least `timeout`. Default 86,400,000: one
   * day. Your platform must remember a key for longer than this time. The API docs do not say how long the
   * platform remembers a key, and a retry after that time can create a second charge. `create` and `enqueue` accept
   * a value for one payment.
   */
  giveUpAfter?: number | undefined;
  /**
   * How long `refresh` can ask for a payment's status after recording it, at least `timeout`. The request sends
   * the key again, so your platform must remember a key for longer than this time. Default: `giveUpAfter`.
   * `create` and `enqueue` accept a value for one payment.
   */
  refreshFor?: number | undefined;
  /**
   * The pause before the second attempt, unless the platform requires a longer one. Each later pause is twice
   * as long, up to `maxRetryDelay`. Jitter shortens a pause by up to half. Default 2,000.
   */
  retryDelay?: number | undefined;
  /** The longest pause between attempts, unless the platform requires a longer one. Default 600,000: ten minutes. */
  maxRetryDelay?: number | undefined;
  /**
   * The AES-256-GCM keys that encrypt stored payloads and payments: one or more, each 32 bytes long, as bytes
   * or base64. The first key encrypts, and all keys decrypt. Without keys, the SDK encrypts nothing.
   */
  encryptionKeys?: EncryptionKeys | undefined;
  /**
   * The age at which `run` erases the payloads of settled and failed payments, once a minute. If `run` cannot decrypt
   * some of them, it reports these to `onError`, and looks again after an hour. Default: never.
   */
  erasePayloadsAfter?: number | undefined;
  /**
   * `openTelemetry(api)`, as in the client options: a span per attempt, and measurements.
   */
  telemetry?: Telemetry | undefined;
  /**
   * Called when this process settles a payment, for example through `run`, `settle`, `create` or a notification. If the
   * function throws an error, the payment is not affected. Nobody waits for this hook or the others. From Node 20.16, they
   * run in the async context of `createDurablePayments`, so they find no caller's transaction in `AsyncLocalStorage`.
   */
  onSettled?: ((record: PaymentRecord<Extra>) => unknown) | undefined;
  /**
   * Called when a payment fails. As far as the SDK can tell, the platform has not executed the payment. Default:
   * `onError`, except for the first attempt of `create`, which throws the error.
   */
  onFailed?: ((record: PaymentRecord<Extra>) => unknown) | undefined;
  /**
   * Called when the SDK gives up on a payment. A person must check whether the customer was charged. Default:
   * `onError`.
   */
  onGivenUp?: ((record: PaymentRecord<Extra>) => unknown) | undefined;
  /**
   * Reports a payment that the platform rejects for a reason that only you can repair, such as wrong credentials
   * (`record.error.status`). The payment is sent again until `giveUpAfter`. Default: `onError`.
   */
  onBlocked?: ((record: PaymentRecord<Extra>) => unknown) | undefined;
  /** Called if the store or a hook fails, for example. Default `console.error`. */
  onError?: ((error: unknown, failure: DurableFailure) => unknown) | undefined;
}

export type Hook = (record: never) => unknown;

type Durations = 'timeout' | 'lease' | 'giveUpAfter' | 'refreshFor' | 'retryDelay' | 'maxRetryDelay';

type Hooks = 'onSettled' | 'onBlocked' | 'onFailed' | 'onGivenUp' | 'onInDoubt';

export interface ResolvedOptions<Transaction>
  extends Readonly<Record<Durations, number>>,
    Readonly<Partial<Record<Hooks, Hook | undefined>>> {
  readonly erasePayloadsAfter?: number | undefined;
  readonly store: MerchantStore<Transaction>;
  readonly sealer: Sealer | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly onError: (error: unknown, failure: DurableFailure) => unknown;
}

const steps = [
  'insert',
  'find',
  'findByPayment',
  'claim',
  'update',
  'erase',
  'list',
  'listErasable',
  'counts',
  'adopt',
] as const satisfies readonly (keyof PaymentStore)[];

const isStore = (value: unknown): boolean =>
  isRecord(value) && steps.every((step) => typeof value[step] === 'function');

/** In milliseconds. The default of `lease` is twice the timeout. */
export const durableDefaults = {
  timeout: 30_000,
  giveUpAfter: 86_400_000,
  retryDelay: 2_000,
  maxRetryDelay: 600_000,
};

/** The maximum duration, in milliseconds, so that every time fits into a date. */
const tenYears = 10 * 365 * 86_400_000;

export const durationReader = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  validIf<number>(
    (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
    `must be milliseconds: an integer from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`,
  );

export const pursuitReader = durationReader(1, tenYears);

export const optionReaders: OptionReaders<DurableOptions<unknown>> = {
  store: required(
    validIf(
      isStore,
      'must be postgresPayments(pool), sqlitePayments(database), memoryPayments() or a store with the same methods',
    ),
    'is required: postgresPayments(pool), sqlitePayments(database), memoryPayments() or a store of your own',
  ),
  timeout: durationReader(1, longestTimer),
  lease: durationReader(1),
  giveUpAfter: pursuitReader,
  refreshFor: pursuitReader,
  retryDelay: integerReader(0, 'milliseconds'),
  maxRetryDelay: integerReader(0, 'milliseconds'),
  encryptionKeys: validIf(
    (value) => typeof value === 'string' || isBytes(value) || Array.isArray(value),
    'must be 32 bytes, as bytes or base64, or a list of them',
  ),
  erasePayloadsAfter: durationReader(1),
  telemetry: telemetryReader,
  onSettled: functionReader(),
  onBlocked: functionReader(),
  onFailed: functionReader(),
  onGivenUp: functionReader(),
  onError: functionReader(),
};

export const shorterThan = (timeout: number, duration: number): string =>
  `must be at least timeout (${timeout} milliseconds), got ${duration} milliseconds`;

const logErrorOf =
  ({ noun }: Pick<Kind, 'noun'>) =>
  (error: unknown, { during, key }: DurableFailure): void => {
    // The stack of this package's own errors is not printed, because the message already says what to do.
    const isOwn = error instanceof StoreError || error instanceof RecordedError;
    const redacted = isOwn ? error.message : error;
    // biome-ignore lint/suspicious/noConsole: the documented default of onError
    console.error(
      `payment-platform: durable ${noun}s: ${during} failed${key === undefined ? '' : ` (${key})`}:`,
      redacted,
    );
  };

export function resolveDurableOptions<Transaction>(
  who: string,
  input: unknown,
  merchant: Merchant,
  kind: Pick<Kind, 'noun' | 'scope'>,
  readers: OptionReaders<DurableOptions<unknown>> = optionReaders,
): ResolvedOptions<Transaction> {
  const {
    store,
    timeout = durableDefaults.timeout,
    encryptionKeys,
    onError = logErrorOf(kind),
    ...others
  } = acceptOptions(who, input, readers);
  // Such as `process.env.PAYLOAD_KEY` of an unset variable. Personal data would be stored unencrypted.
  if (encryptionKeys === undefined && Object.hasOwn(input as object, 'encryptionKeys'))
    throw new ConfigurationError(
      `${who}: encryptionKeys is undefined, so payloads would not be encrypted. Pass the keys, or leave the option out.`,
    );
  const { lease = 2 * timeout, giveUpAfter = durableDefaults.giveUpAfter } = others;
  const { refreshFor = giveUpAfter } = others;
  if (lease <= timeout)
    throw new ConfigurationError(
      `${who}: lease (${lease}) must be more than timeout (${timeout}), or two processes would send the same request at once.`,
    );
  for (const [name, duration] of Object.entries({ giveUpAfter, refreshFor }))
    if (duration < timeout)
      throw new ConfigurationError(`${who}: ${name} ${shorterThan(timeout, duration)}.`);
  return {
    ...others,
    store: new MerchantStore(store as PaymentStore<Transaction>, merchant, kind.scope),
    timeout,
    lease,
    giveUpAfter,
    refreshFor,
    retryDelay: others.retryDelay ?? durableDefaults.retryDelay,
    maxRetryDelay: others.maxRetryDelay ?? durableDefaults.maxRetryDelay,
    sealer: encryptionKeys === undefined ? undefined : createSealer(who, encryptionKeys),
    telemetry: others.telemetry,
    onError,
  };
}
