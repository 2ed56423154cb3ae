import { transactionEvents, type WebhookEvent } from '../../contract/events.js';
import { ConfigurationError } from '../../errors/usage.js';
import { type Issue, inWords } from '../../input/issue.js';
import {
  type Accepted,
  aFunction,
  anInteger,
  oneOf,
  type Readers,
  readIf,
  readOptions,
  readUnless,
  required,
} from '../../input/options.js';
import { awaitItFirst, isPromise } from '../../input/outside.js';
import { Read } from '../../input/read.js';
import { objectProblem, prototypesOf, readFields, unreadable } from '../../input/record.js';
import type { DedupeStore } from '../dedupe/dedupe-store.js';
import { memoryDedupe } from '../dedupe/memory-dedupe.js';
import {
  type Checks,
  checksOf,
  fieldNames,
  headerNames,
  readSecrets,
  secretRule,
  timestamp,
  tolerance,
} from '../verify-options.js';
import { readClock } from './clock.js';
import { type Secrets, secretsOf } from './secrets.js';
import type { EventHandler, ReceiverOptions, SecretSource } from './types.js';

/** Handlers by name, whatever they make of the event. */
type Handlers = Readonly<Record<string, EventHandler<WebhookEvent, unknown>>>;

/** The options of a receiver with every default filled in. */
export interface ResolvedReceiverOptions
  extends Pick<
    ReceiverOptions<unknown>,
    'onUnhandled' | 'onDuplicate' | 'onChanged' | 'onOutdated' | 'onRejected' | 'onError' | 'identity'
  > {
  readonly checks: Checks;
  readonly now: () => number;
  readonly secrets: Secrets;
  readonly on: Handlers;
  /** Undefined if nothing is remembered. */
  readonly store: DedupeStore<unknown> | undefined;
  readonly keepFor: number;
  readonly lease: number;
  readonly handlesTwin: boolean;
  readonly handlesChanged: boolean;
  readonly forwardOnly: boolean;
  /** Takes every event, if the answer does not wait for handlers. */
  readonly enqueue: EventHandler<WebhookEvent, unknown> | undefined;
  readonly handlerTimeout: number;
  readonly maxBody: number;
}

/** A longer timer fires at once. */
const maxTimer = 2 ** 31 - 1;

const aDuration = readIf<number>(
  (given) => Number.isSafeInteger(given) && (given as number) >= 1 && (given as number) <= maxTimer,
  `must be milliseconds: an integer from 1 to ${maxTimer}`,
);

const storeSteps = ['claim', 'complete', 'release'] as const;

const aStore = readUnless<DedupeStore<unknown> | false>((given) => {
  if (given === false) return undefined;
  if (isPromise(given)) return awaitItFirst;
  const isStore = storeSteps.every(
    (name) => typeof (given as Partial<DedupeStore> | null)?.[name] === 'function',
  );
  return isStore ? undefined : 'must be memoryDedupe(), redisDedupe(client), postgresDedupe(pool) or false';
});

/** The handlers of the known events, also those that a class or an object of defaults gives. */
function readHandlers(given: unknown): Read<Handlers> {
  const problem = objectProblem(given);
  if (problem !== undefined) return new Read<never>(undefined, [{ path: '', message: problem }]);
  const found = readFields(given as object, transactionEvents);
  if (found === undefined) return new Read<never>(undefined, [{ path: '', message: unreadable }]);
  const issues: Issue[] = unknownNames(given as object).map((path) => ({ path, message: unknownEvent() }));
  const handlers: Record<string, EventHandler<WebhookEvent, unknown>> = Object.create(null);
  for (const [index, handler] of found.values.entries()) {
    const name = transactionEvents[index] as string;
    if (typeof handler === 'function') handlers[name] = handler.bind(given);
    else if (handler !== undefined) issues.push({ path: name, message: 'must be a function' });
  }
  return new Read(handlers, issues);
}

/**
 * The names that were meant for events, and are none: theirs would be acknowledged without a handler. A class or a
 * module may have other members.
 */
function unknownNames(given: object): string[] {
  const owners = [given, ...prototypesOf(given)];
  const isLiteral = owners.length === 1;
  const names = owners.flatMap((owner) => Object.getOwnPropertyNames(owner));
  return [...new Set(names)].filter(
    (name) => !known.includes(name) && (isLiteral || name.startsWith('transaction.')),
  );
}

const known: readonly string[] = transactionEvents;

const unknownEvent = () =>
  `is an unknown event (known: ${transactionEvents.join(', ')}); events that this version does not know go to onUnhandled`;

/** The secrets, checked now if they are known now. */
function readSource(given: unknown): Read<SecretSource | readonly string[]> {
  if (typeof given === 'function') return new Read(given as SecretSource);
  return isPromise(given)
    ? new Read<never>(undefined, [{ path: '', message: awaitItFirst }])
    : readSecrets(given);
}

/** The options that are something else when they are read. */
interface Converted {
  secret: SecretSource | readonly string[];
  now: () => number;
  on: Handlers;
  fieldNames: Checks['toSdkNames'];
}

/** The reader of each option. */
const readers: Readers<ReceiverOptions<unknown>, Converted> = {
  tolerance,
  timestamp,
  headerNames,
  fieldNames,
  secret: required({ read: readSource }, `${secretRule}, or a function that gives them`),
  now: { read: readClock },
  on: { read: readHandlers },
  dedupe: aStore,
  keepFor: anInteger(1, 'milliseconds'),
  lease: aDuration,
  onUnhandled: aFunction(),
  onDuplicate: aFunction(),
  changed: oneOf('deliver', 'ignore'),
  onChanged: aFunction(),
  onOutdated: aFunction(),
  onRejected: aFunction(),
  onError: aFunction(),
  statusUpdated: oneOf('ignore', 'deliver'),
  order: oneOf('forward-only'),
  acknowledge: oneOf('handled', 'first'),
  enqueue: aFunction(),
  handlerTimeout: aDuration,
  maxBody: anInteger(1, 'bytes'),
  identity: aFunction(),
};

/** What contradicts what. */
function contradictions({ acknowledge, enqueue, on, onUnhandled, order, dedupe }: Given): Issue[] {
  const issues: Issue[] = [];
  const say = (path: string, message: string) => issues.push({ path, message });
  if (acknowledge === 'first' && enqueue === undefined)
    say('enqueue', "is required with acknowledge: 'first'");
  if (acknowledge === 'first' && (on ?? onUnhandled) !== undefined)
    say('on', "and onUnhandled are not called with acknowledge: 'first': enqueue takes every event");
  if (acknowledge !== 'first' && enqueue !== undefined) say('enqueue', "is for acknowledge: 'first'");
  if (order !== undefined && dedupe === false) say('order', 'needs a dedupe store');
  else if (order !== undefined && dedupe !== undefined && dedupe !== false && dedupe.advance === undefined)
    say('order', 'needs a dedupe store that has `advance`');
  return issues;
}

type Given = Accepted<typeof readers>;

/** @throws ConfigurationError naming every wrong option. */
export function resolveReceiverOptions(given: unknown): ResolvedReceiverOptions {
  const { value, issues } = readOptions(given, readers);
  const all = [...issues, ...(issues.length > 0 || value === undefined ? [] : contradictions(value))];
  if (value === undefined || all.length > 0) throw new ConfigurationError(`createReceiver: ${inWords(all)}.`);
  const { onUnhandled, onDuplicate, onChanged, onOutdated, onRejected, onError, identity } = value;
  return {
    onUnhandled,
    onDuplicate,
    onChanged,
    onOutdated,
    onRejected,
    onError,
    identity,
    checks: checksOf(value),
    now: value.now ?? Date.now,
    secrets: secretsOf(value.secret ?? []),
    on: value.on ?? Object.create(null),
    store: value.dedupe === false ? undefined : (value.dedupe ?? memoryDedupe()),
    keepFor: value.keepFor ?? 7 * 24 * 3_600_000,
    lease: value.lease ?? 15_000,
    // Who says what is the same has decided that nothing else of a notification is news.
    handlesChanged: (value.changed ?? (identity === undefined ? 'deliver' : 'ignore')) === 'deliver',
    handlesTwin: value.statusUpdated === 'deliver',
    forwardOnly: value.order === 'forward-only',
    enqueue: value.enqueue,
    handlerTimeout: value.handlerTimeout ?? 25_000,
    maxBody: value.maxBody ?? 1_000_000,
  };
}
