import { transactionEvents, type WebhookEvent } from '../contract/events.js';
import { accept, ConfigurationError } from '../errors/usage.js';
import type { WebhookVerificationError } from '../errors/webhook.js';
import type { DedupeStore } from '../stores/dedupe-store.js';
import { type Telemetry, telemetryReader } from '../telemetry/telemetry.js';
import { shownName, unknownName } from '../validation/closest-name.js';
import { type Issue, listProblems, Parsed } from '../validation/issue.js';
import {
  type Checked,
  functionReader,
  integerReader,
  type OptionReader,
  oneOf,
  rejected,
  required,
  validIf,
  withDefault,
} from '../validation/options.js';
import { hasMethods, listPrototypes, objectProblem } from '../validation/record.js';
import { longestTimer } from '../validation/time-limit.js';
import { Reports } from './hooks.js';
import { memoryDedupe } from './memory-dedupe.js';
import {
  type Checks,
  clockReader,
  fieldNamesReader,
  headerNamesReader,
  secretsReader,
  tableReader,
  toleranceReader,
} from './options.js';
import type {
  DeliveryHeaders,
  DeliveryReport,
  EventHandler,
  EventHandlers,
  IdentifiedDelivery,
  ReceiveFailure,
  RejectedRequest,
  SecretSource,
  VerifyOptions,
} from './types.js';

/** Options of `createReceiver`. */
export interface ReceiverOptions<Transaction = undefined, Context = undefined>
  extends Pick<VerifyOptions, 'tolerance' | 'timestamp' | 'decodeSignature' | 'headerNames' | 'fieldNames'> {
  /** Returns the current time. Default: the system clock. */
  now?: (() => Date | number) | undefined;
  /**
   * The endpoint's `hmac_secret`, 16 to 256 characters. During a rotation, pass several secrets. Instead, you
   * can pass a function, as in `({ url }) => …`. It can return `{ secret, context }`, and handlers receive
   * the `context`.
   */
  secret: string | readonly string[] | SecretSource<Context>;
  /** The handlers, by event name. */
  on?: EventHandlers<Transaction, Context> | undefined;
  /**
   * The store of handled deliveries. Default `memoryDedupe()`, for one process. With false, the receiver does
   * not remember deliveries.
   */
  dedupe?: DedupeStore<Transaction> | false | undefined;
  /**
   * How long the receiver remembers a handled delivery, in milliseconds. The value must be at least twelve
   * times `tolerance`. Default 7 days.
   */
  keepFor?: number | undefined;
  /**
   * How long, in milliseconds, a dead process keeps other processes from handling its delivery. Default
   * 15,000. A running process extends its lease while a handler runs.
   */
  lease?: number | undefined;
  /**
   * Handles the events that have no handler in `on`, except an ignored `transaction.status.updated`
   * (`statusUpdated`). If `onUnhandled` rejects, the receiver responds with 500. Without `onUnhandled`, the
   * receiver acknowledges these events.
   */
  onUnhandled?: EventHandler<WebhookEvent, Transaction, Context> | undefined;
  /** Called for a delivery that the receiver has already handled. */
  onDuplicate?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /**
   * What to do with a notification that has the same identity as a handled one, but a different body. `ignore`
   * (default) acknowledges it without calling a handler, because a resend can contain the time of its attempt,
   * for example. `deliver` handles it separately, with `delivery.changed`.
   */
  changed?: 'deliver' | 'ignore' | undefined;
  /**
   * Called for a notification that arrives again with a different body. If notifications are ignored and
   * `onChanged` is not set, the receiver calls `onError` once.
   */
  onChanged?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /** Called for a notification that is older than its transaction's state (see `order`). */
  onOutdated?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /**
   * Called when a delivery is rejected. The error contains the `reason`, but the response does not. Default: one
   * warning per reason and minute, with the number of deliveries.
   */
  onRejected?:
    | ((
        error: WebhookVerificationError,
        headers: DeliveryHeaders,
        request: RejectedRequest<Context>,
      ) => unknown)
    | undefined;
  /**
   * Called for every delivery, with every adapter, once the response is known. Use it for logs or counters.
   */
  onReceived?: ((report: DeliveryReport<Context>) => unknown) | undefined;
  /**
   * `openTelemetry(api)`, where `api` is the module `@opentelemetry/api`: a span per delivery, and
   * measurements by outcome.
   */
  telemetry?: Telemetry | undefined;
  /**
   * Called if a handler, a hook, the store, `secret` or `identity` fails, or if the body was already parsed.
   * Default `console.error`.
   */
  onError?: ((error: unknown, failure: ReceiveFailure<Context>) => unknown) | undefined;
  /**
   * What to do with `transaction.status.updated`, which arrives with every status change. `ignore` (default)
   * acknowledges it without calling a handler, unless no specific event reports the status, or this event has
   * a handler and the specific one has none. `deliver` handles it like the other events. For an endpoint that
   * is subscribed only to this event, set `deliver` if the receiver uses `enqueue` or `onUnhandled`, or has
   * handlers for the specific events.
   */
  statusUpdated?: 'ignore' | 'deliver' | undefined;
  /**
   * Acknowledges a notification without calling a handler if the transaction already has a later status (see
   * docs/webhooks.md).
   */
  order?: 'forward-only' | undefined;
  /**
   * When to respond: `handled` (default) responds after the handler has finished, and `first` responds with
   * 202 after `enqueue` has accepted the event.
   */
  acknowledge?: 'handled' | 'first' | undefined;
  /**
   * With `acknowledge: 'first'`, adds events to a queue. Use `delivery.id` as the job's key. The
   * receiver does not pass an ignored `transaction.status.updated` to `enqueue` (see `statusUpdated`).
   */
  enqueue?: EventHandler<WebhookEvent, Transaction, Context> | undefined;
  /**
   * How long a delivery can take, from the start of its body to the end of its handler, in milliseconds.
   * Default 25,000, because the platform waits only 30 seconds.
   */
  handlerTimeout?: number | undefined;
  /**
   * The maximum number of deliveries that this receiver handles at the same time. Additional deliveries wait
   * their turn for up to `handlerTimeout`, and then get a 503. Default: half of the pool's `max` with the
   * option `transaction` of `postgresDedupe`, otherwise no limit.
   */
  concurrency?: number | undefined;
  /** The maximum size of a body, in bytes. Default 1,000,000. */
  maxBody?: number | undefined;
  /**
   * Computes a notification's identity. Default: `event`, `id` and `status` if `id` is a string, otherwise
   * the SHA-256 of the body. The default also applies if the function returns undefined or a string with a missing
   * value, such as `transaction.paid:undefined`. If `secret` is a function, the receiver adds the endpoint to the
   * identity.
   */
  identity?:
    | ((
        event: WebhookEvent,
        delivery: IdentifiedDelivery<Context>,
      ) => string | undefined | Promise<string | undefined>)
    | undefined;
}

type AnyHandler = EventHandler<WebhookEvent, unknown, unknown>;

type Handlers = Readonly<Record<string, AnyHandler>>;

const missingSecret =
  "is missing. Pass the endpoint's hmac_secret, such as process.env.PAYMENT_PLATFORM_WEBHOOK_SECRET";

/** A timer that is longer than 2^31 - 1 milliseconds fires at once. */
const durationReader = /* @__PURE__ */ integerReader(1, 'milliseconds', longestTimer);

/** The result of a function is checked when it arrives. */
const sourceReader: OptionReader<readonly string[] | SecretSource<unknown>> = /* @__PURE__ */ required(
  {
    read: (value): Parsed<readonly string[] | SecretSource<unknown>> =>
      typeof value === 'function'
        ? new Parsed(value as SecretSource<unknown>)
        : value === ''
          ? rejected(missingSecret)
          : secretsReader.read(value),
  },
  missingSecret,
);

const storeReader: OptionReader<DedupeStore<unknown> | false> = /* @__PURE__ */ validIf(
  (value) => value === false || hasMethods(value, 'claim', 'complete', 'release'),
  'must be a store, such as redisDedupe(client) or postgresDedupe(pool), memoryDedupe() or false',
);

const known: readonly string[] = transactionEvents;

/**
 * In an object literal, an unknown name is rejected, because its events would be acknowledged without a
 * handler. A class or a module can also have other members.
 */
function readHandlers(value: unknown): Parsed<Handlers> {
  const problem = objectProblem(value);
  if (problem !== undefined) return rejected(problem);
  const on = value as Readonly<Record<string, unknown>>;
  const owners = [on, ...listPrototypes(on)];
  const unknown = owners
    .flatMap((owner) => Object.getOwnPropertyNames(owner))
    .filter((name) => !known.includes(name) && (owners.length === 1 || name.startsWith('transaction.')));
  const issues: Issue[] = unknown.map((name) => {
    const meant = known.find((event) => event.endsWith(`.${name.slice(name.lastIndexOf('.') + 1)}`));
    return {
      path: shownName(name),
      message: `${unknownName('event', meant, known)}${meant ? '' : '.'} Use onUnhandled for other events`,
    };
  });
  const handlers: Record<string, AnyHandler> = Object.create(null);
  for (const name of known) {
    // A handler that is present but undefined comes from a misspelt name or a circular import. It is
    // rejected, because its events would be acknowledged without a handler.
    if (!owners.some((owner) => Object.hasOwn(owner, name))) continue;
    const handler = on[name];
    if (typeof handler === 'function') handlers[name] = handler.bind(value);
    else
      issues.push({ path: name, message: 'must be a function. Leave the event out if you do not handle it' });
  }
  return new Parsed(handlers, issues);
}

type Defaulted =
  | 'keepFor'
  | 'lease'
  | 'changed'
  | 'statusUpdated'
  | 'acknowledge'
  | 'handlerTimeout'
  | 'maxBody';

type Defaults = { readonly [Name in Defaulted]: Exclude<ReceiverOptions[Name], undefined> };

interface Converted extends Checks, Defaults {
  secret: readonly string[] | SecretSource<unknown>;
  now: () => number;
  on: Handlers | undefined;
  dedupe: DedupeStore<unknown> | false | undefined;
  telemetry: Telemetry | undefined;
}

/** Durations in milliseconds, and the size of a body in bytes. */
export const receiverDefaults = {
  keepFor: 7 * 24 * 3_600_000,
  lease: 15_000,
  handlerTimeout: 25_000,
  maxBody: 1_000_000,
};

const optionsReader = () =>
  tableReader<ReceiverOptions<unknown, unknown>, Converted>({
    tolerance: toleranceReader,
    timestamp: functionReader(),
    decodeSignature: functionReader(),
    headerNames: headerNamesReader(),
    fieldNames: fieldNamesReader,
    secret: sourceReader,
    now: clockReader,
    on: { read: readHandlers },
    dedupe: storeReader,
    keepFor: withDefault(() => receiverDefaults.keepFor, integerReader(1, 'milliseconds')),
    lease: withDefault(() => receiverDefaults.lease, durationReader),
    onUnhandled: functionReader(),
    onDuplicate: functionReader(),
    changed: withDefault(() => 'ignore', oneOf('ignore', 'deliver')),
    onChanged: functionReader(),
    onOutdated: functionReader(),
    onRejected: functionReader(),
    onReceived: functionReader(),
    telemetry: telemetryReader,
    onError: functionReader(),
    statusUpdated: withDefault(() => 'ignore', oneOf('ignore', 'deliver')),
    order: oneOf('forward-only'),
    acknowledge: withDefault(() => 'handled', oneOf('handled', 'first')),
    enqueue: functionReader(),
    handlerTimeout: withDefault(() => receiverDefaults.handlerTimeout, durationReader),
    concurrency: integerReader(1, 'a number of deliveries'),
    maxBody: withDefault(() => receiverDefaults.maxBody, integerReader(1, 'bytes')),
    identity: functionReader(),
  });

type Values = Checked<ReceiverOptions<unknown, unknown>, Converted>;

export interface ResolvedReceiverOptions extends Omit<Values, 'dedupe'> {
  readonly dedupe: DedupeStore<unknown> | false;
  readonly isDedupeDefault: boolean;
  readonly reports: Reports;
}

export function resolveReceiverOptions(value: unknown): ResolvedReceiverOptions {
  const read = accept('createReceiver', optionsReader(), value);
  const isDedupeDefault = read.dedupe === undefined;
  const dedupe = read.dedupe ?? memoryDedupe();
  const options = { ...read, dedupe, isDedupeDefault, reports: new Reports() };
  const wrong = contradictions(options);
  if (wrong.length > 0) throw new ConfigurationError(listProblems('createReceiver', wrong));
  return options;
}

function contradictions(options: ResolvedReceiverOptions): string[] {
  const { acknowledge, enqueue, on, onUnhandled, order, dedupe, keepFor, tolerance } = options;
  const wrong: string[] = [];
  if (acknowledge === 'first' && enqueue === undefined)
    wrong.push("enqueue is required with acknowledge: 'first'");
  if (acknowledge === 'first' && (on ?? onUnhandled) !== undefined)
    wrong.push("on and onUnhandled have no effect with acknowledge: 'first'. Handle the events in enqueue");
  if (acknowledge !== 'first' && enqueue !== undefined) wrong.push("enqueue is for acknowledge: 'first'");
  // A delivery can be replayed for twice the tolerance, and the platform can resend it later than that.
  const shortest = 12_000 * tolerance;
  if (dedupe !== false && keepFor < shortest)
    wrong.push(
      `keepFor is in milliseconds, and must be at least ${shortest}, twelve times the tolerance: until then a delivery can arrive again`,
    );
  if (order !== undefined && dedupe === false) wrong.push('order needs a dedupe store');
  else if (order !== undefined && dedupe && dedupe.advance === undefined)
    wrong.push('order needs a dedupe store that has `advance`');
  return wrong;
}
