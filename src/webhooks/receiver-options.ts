import { transactionEvents, type WebhookEvent } from '../contract/events.js';
import { ConfigurationError } from '../errors/usage.js';
import { memoryDedupe } from '../stores/memory/dedupe.js';
import { telemetryApi } from '../telemetry/option.js';
import { listProblems } from '../validation/issue.js';
import { awaitItFirst, isPromise, isRecord, prototypesOf } from '../validation/record.js';
import type { DedupeStore } from './dedupe-store.js';
import {
  aFunction,
  anInteger,
  anObject,
  type Checks,
  checked,
  optionOf,
  type Readers,
  readClock,
  readFieldNames,
  readHeaderNames,
  readOptions,
  readSecrets,
  readTolerance,
  type Values,
} from './options.js';
import { ReceiverTelemetry } from './receiver-telemetry.js';
import { Secrets } from './secrets.js';
import type { EventHandler, ReceiverOptions, SecretSource } from './types.js';

/** Handlers by the names of their events. */
type Handlers = Readonly<Record<string, EventHandler<WebhookEvent, unknown>>>;

/** Reads a duration. A timer that is longer than 2^31 - 1 milliseconds fires at once. */
const aDuration = (given: unknown, name: string) => anInteger(given, name, 'milliseconds', 2 ** 31 - 1);

function oneOf<const Value extends string>(given: unknown, name: string, ...values: readonly Value[]): Value {
  const rule = `must be ${values.map((value) => `'${value}'`).join(' or ')}`;
  return checked(given, values.includes(given as Value), name, rule);
}

/** Reads the secrets. A list is checked at once, the response of a function when it comes. */
function readSource(given: unknown, name: string): Secrets {
  checked(given, !isPromise(given), name, awaitItFirst);
  return new Secrets(typeof given === 'function' ? (given as SecretSource) : readSecrets(given, name));
}

function readTelemetry(given: unknown, name: string): ReceiverTelemetry | undefined {
  if (given === undefined) return undefined;
  const { value, issues } = telemetryApi.read(given);
  checked(value, issues.length === 0, name, `${issues[0]?.message}`);
  return value && new ReceiverTelemetry(value);
}

/** Reads the store. With false, nothing is remembered. */
function readStore(given: unknown, name: string): DedupeStore<unknown> | false | undefined {
  if (given === undefined) return undefined;
  checked(given, !isPromise(given), name, awaitItFirst);
  const { claim, complete, release } = Object(given) as Partial<DedupeStore<unknown>>;
  const isStore = [claim, complete, release].every((step) => typeof step === 'function');
  const rule = 'must be memoryDedupe(), redisDedupe(client), postgresDedupe(pool) or false';
  return checked(given, given === false || isStore, name, rule);
}

const known: readonly string[] = transactionEvents;

/**
 * Reads the handlers of the known events, also those that a class or an object of defaults has. Another name in a
 * literal is rejected, because its events would be acknowledged without a handler. A class or a module may have
 * other members.
 */
function readHandlers(given: unknown, option: string): Handlers | undefined {
  if (given === undefined) return undefined;
  const on = anObject(given, option);
  const owners = [on, ...prototypesOf(on)];
  for (const name of owners.flatMap((owner) => Object.getOwnPropertyNames(owner))) {
    const isMember = owners.length > 1 && !name.startsWith('transaction.');
    const rule = `is an unknown event. Known: ${known.join(', ')}. Use onUnhandled for other events`;
    checked(name, isMember || known.includes(name), `${option}.${name}`, rule);
  }
  const handlers: Record<string, EventHandler<WebhookEvent, unknown>> = Object.create(null);
  for (const name of known) {
    const handler = aFunction<EventHandler<WebhookEvent, unknown>>(optionOf(on, name), `${option}.${name}`);
    if (handler !== undefined) handlers[name] = handler.bind(given);
  }
  return handlers;
}

type Defaulted = 'keepFor' | 'lease' | 'statusUpdated' | 'acknowledge' | 'handlerTimeout' | 'maxBody';

type Defaults = { readonly [Name in Defaulted]: Exclude<ReceiverOptions[Name], undefined> };

/** The options that are something else when they are read, or have a default. */
interface Converted extends Checks, Defaults {
  secret: Secrets;
  now: () => number;
  on: Handlers | undefined;
  dedupe: DedupeStore<unknown> | false | undefined;
  telemetry: ReceiverTelemetry | undefined;
}

/** The reader of each option. */
const readers: Readers<ReceiverOptions<unknown>, Converted> = {
  tolerance: readTolerance,
  timestamp: aFunction,
  decodeSignature: aFunction,
  headerNames: readHeaderNames,
  fieldNames: readFieldNames,
  secret: readSource,
  now: readClock,
  on: readHandlers,
  dedupe: readStore,
  keepFor: (given = 7 * 24 * 3_600_000, name) => anInteger(given, name, 'milliseconds'),
  lease: (given = 15_000, name) => aDuration(given, name),
  onUnhandled: aFunction,
  onDuplicate: aFunction,
  changed: (given, name) => (given === undefined ? given : oneOf(given, name, 'deliver', 'ignore')),
  onChanged: aFunction,
  onOutdated: aFunction,
  onRejected: aFunction,
  onReceived: aFunction,
  telemetry: readTelemetry,
  onError: aFunction,
  statusUpdated: (given = 'ignore', name) => oneOf(given, name, 'ignore', 'deliver'),
  order: (given, name) => (given === undefined ? given : oneOf(given, name, 'forward-only')),
  acknowledge: (given = 'handled', name) => oneOf(given, name, 'handled', 'first'),
  enqueue: aFunction,
  handlerTimeout: (given = 25_000, name) => aDuration(given, name),
  concurrency: (given, name) =>
    given === undefined ? given : anInteger(given, name, 'a number of deliveries'),
  maxBody: (given = 1_000_000, name) => anInteger(given, name, 'bytes'),
  identity: aFunction,
};

/** The options of a receiver as they are worked with. */
export interface ResolvedReceiverOptions extends Omit<Values<typeof readers>, 'dedupe'> {
  readonly dedupe: DedupeStore<unknown> | false;
  /** Whether the store is the default: the memory of this process. */
  readonly isDedupeDefault: boolean;
}

/** @throws ConfigurationError naming every wrong option. */
export function resolveReceiverOptions(given: unknown): ResolvedReceiverOptions {
  if (!isRecord(given)) throw new ConfigurationError('createReceiver takes an object with secret.');
  const read = readOptions('createReceiver', given, readers);
  const isDedupeDefault = read.dedupe === undefined;
  const options = { ...read, dedupe: read.dedupe ?? memoryDedupe(), isDedupeDefault };
  const wrong = contradictions(options);
  if (wrong.length > 0) throw new ConfigurationError(listProblems('createReceiver', wrong));
  return options;
}

/** The options that contradict one another. */
function contradictions(options: ResolvedReceiverOptions): string[] {
  const { acknowledge, enqueue, on, onUnhandled, order, dedupe } = options;
  const wrong: string[] = [];
  if (acknowledge === 'first' && enqueue === undefined)
    wrong.push("enqueue is required with acknowledge: 'first'");
  if (acknowledge === 'first' && (on ?? onUnhandled) !== undefined)
    wrong.push("on and onUnhandled have no effect with acknowledge: 'first'. Handle the events in enqueue");
  if (acknowledge !== 'first' && enqueue !== undefined) wrong.push("enqueue is for acknowledge: 'first'");
  if (order !== undefined && dedupe === false) wrong.push('order needs a dedupe store');
  else if (order !== undefined && dedupe && dedupe.advance === undefined)
    wrong.push('order needs a dedupe store that has `advance`');
  return wrong;
}
