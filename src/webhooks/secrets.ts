import { missingValue } from '../contract/patterns.js';
import { accept, ConfigurationError } from '../errors/usage.js';
import { Parsed, prefixIssues } from '../validation/issue.js';
import { inOrder } from '../validation/json.js';
import { anything, type OptionReader } from '../validation/options.js';
import { isPromise, isRecord } from '../validation/record.js';
import { late, runWithTimeLimit, type TimeLimit } from '../validation/time-limit.js';
import { secretsReader, tableReader } from './options.js';
import type { DeliveryRequest, SecretSource } from './types.js';

export interface Endpoint {
  /** The secrets. One must have signed the delivery. Empty if the endpoint does not exist. */
  readonly secrets: readonly string[];
  readonly context: unknown;
  /** A name does not depend on the secret, so that a rotation does not change a notification's identity. */
  readonly name: string | undefined;
}

const returned = 'the return value of `secret`';

const reject = (path: string, problem: string) =>
  new ConfigurationError(`createReceiver: ${returned}${path} ${problem}.`);

const acceptReturned = <Value>({ read }: OptionReader<Value>, input: unknown): Value => {
  const reader: OptionReader<Value> = {
    read(value) {
      const { value: accepted, issues } = read(value);
      return new Parsed(accepted, prefixIssues(returned, issues));
    },
  };
  return accept('createReceiver', reader, input);
};

const endpointReader = () =>
  tableReader<{ secret?: unknown; context?: unknown }, { secret: readonly string[] }>({
    secret: secretsReader,
    context: anything(),
  });

/** The result is never cached, because only the function knows which deliveries share a secret. */
export async function findEndpoint(
  source: SecretSource<unknown>,
  request: DeliveryRequest,
  limit: TimeLimit,
): Promise<Endpoint> {
  const result = runWithTimeLimit('The function `secret`', () => source(request));
  const value = isPromise(result) ? await limit.race(result) : result;
  if (value === late) throw new Error('The function `secret` did not respond in time.');
  const { url } = request;
  if (value === undefined) return { secrets: [], context: undefined, name: url };
  if (!isRecord(value))
    return { secrets: acceptReturned(secretsReader, value), context: undefined, name: url };
  if (!('secret' in value)) throw reject('', 'must have a property `secret`');
  const { secret: secrets = [], context } = acceptReturned(endpointReader(), value);
  return { secrets, context, name: context === undefined ? url : nameContext(context, secrets) };
}

function nameContext(context: unknown, secrets: readonly string[]): string {
  let name: string | undefined;
  try {
    name = JSON.stringify(context, inOrder);
  } catch {
    // A context that refers to itself, or contains a bigint, is rejected below.
  }
  if (name === undefined || !isName(context)) throw reject('.context', mustName);
  if (secrets.some((secret) => name.includes(JSON.stringify(secret))))
    throw reject('.context', mustNotChange);
  return name;
}

/**
 * JSON shows neither private fields nor the entries of a Map nor undefined fields, so two endpoints with such
 * contexts would have one name. A date in a tenant's row usually changes.
 */
function isName(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value !== '' && !isMissing(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean';
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of an object literal has no prototype, also in another realm.
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  const values = Object.values(value);
  const isWhole = values.length > 0 && Object.getOwnPropertySymbols(value).length === 0;
  return isPlain && isWhole && values.every(isName);
}

/** A shop can be called Infinity Pizza. */
function isMissing(text: string): boolean {
  const missing = missingValue(text);
  return missing !== undefined && !(missing === 'Infinity' && /^Infinity | Infinity$/.test(text));
}

const mustName =
  'must be JSON that names the endpoint, such as { shop: 7 }, without missing values, dates and class instances';
const mustNotChange =
  'must not contain the secret, because it names the endpoint and a rotation would change it. Pass { shop: 7 }, for example';
