import { isRecord } from '../input/record.js';
import type { OAuthOptions } from './oauth.js';
import type { TokenStore } from './token-store.js';

/** What a token request sends itself: an extra field takes none of these names. */
const ownFields = ['grant_type', 'client_id', 'client_secret'];

const known: readonly (keyof OAuthOptions)[] = [
  'credentials',
  'basicEncoding',
  'encoding',
  'extraBody',
  'store',
];

interface Context {
  readonly clientId: string;
  /** The names that `fieldNames` gives to the fields of a token request. */
  readonly wireNames: readonly string[];
}

/** The option `oauth` with its defaults. What is wrong with it is added to `problems`, and never with a value. */
export function readOAuth(given: unknown, context: Context, problems: string[]): OAuthOptions {
  try {
    return optionsOf(given, context, problems);
  } catch {
    problems.push('oauth could not be read: one of its getters throws');
    return {};
  }
}

function optionsOf(given: unknown, { clientId, wireNames }: Context, problems: string[]): OAuthOptions {
  if (!isRecord(given)) {
    problems.push('oauth must be an object');
    return {};
  }
  // Read once, and without what an object inherits: a polluted prototype sets no option.
  const own: Readonly<Record<string, unknown>> = Object.assign(Object.create(null), given);
  for (const name of Object.keys(own)) {
    if (!(known as readonly string[]).includes(name))
      problems.push(`oauth.${name} is an unknown option (the options are ${known.join(', ')})`);
  }
  const { credentials = 'body', basicEncoding = 'form', encoding = 'json', extraBody = {}, store } = own;
  if (credentials !== 'body' && credentials !== 'basic')
    problems.push("oauth.credentials must be 'body' or 'basic'");
  if (basicEncoding !== 'form' && basicEncoding !== 'none')
    problems.push("oauth.basicEncoding must be 'form' or 'none'");
  if (own.basicEncoding !== undefined && credentials === 'body')
    problems.push("oauth.basicEncoding has no effect without credentials: 'basic'");
  if (credentials === 'basic' && basicEncoding === 'none' && clientId.includes(':'))
    problems.push(
      "clientId must not contain a colon with oauth.basicEncoding 'none': a server would read what follows it as the secret (RFC 7617, 2)",
    );
  if (encoding !== 'json' && encoding !== 'form') problems.push("oauth.encoding must be 'json' or 'form'");
  if (store !== undefined && !isStore(store))
    problems.push('oauth.store must have get, set and lock: redisTokenStore(client) makes one');
  return Object.freeze({
    credentials,
    basicEncoding,
    encoding,
    extraBody: readExtraBody(extraBody, [...ownFields, ...wireNames], problems),
    store,
  }) as OAuthOptions;
}

function readExtraBody(
  given: unknown,
  taken: readonly string[],
  problems: string[],
): Readonly<Record<string, string>> {
  const read: Record<string, string> = Object.create(null);
  if (!isRecord(given)) problems.push('oauth.extraBody must be an object of texts');
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    if (value === undefined) continue;
    if (taken.includes(name))
      problems.push(`oauth.extraBody must not carry ${name}: the client sends that itself`);
    else if (name === '' || name === '__proto__' || isTorn(name))
      problems.push('oauth.extraBody has a field whose name cannot be sent');
    else if (typeof value !== 'string') problems.push(`oauth.extraBody.${name} must be text`);
    else if (isTorn(value)) problems.push(`oauth.extraBody.${name} has half a character (a lone surrogate)`);
    else read[name] = value;
  }
  return Object.freeze(read);
}

/** A form and JSON would write half a character differently. */
const isTorn = (text: string) => /\p{Surrogate}/u.test(text);

const isStore = (store: unknown): store is TokenStore =>
  isRecord(store) && ['get', 'set', 'lock'].every((name) => typeof store[name] === 'function');
