import { missingValue } from '../contract/patterns.js';
import type { WireNames } from '../contract/wire-names.js';
import { type Issue, Parsed } from '../validation/issue.js';
import {
  invalidIf,
  type OptionReader,
  type OptionReaders,
  oneOf,
  readerFor,
  validIf,
} from '../validation/options.js';
import { describeQuotes } from '../validation/pasted.js';
import { isRecord, objectProblem } from '../validation/record.js';
import type { OAuthOptions } from './oauth.js';
import type { TokenStore } from './token-store.js';

const visibleAscii = /^[\x21-\x7e]+$/;

export function credentialProblem(value: unknown): string | undefined {
  if (value === '') return 'must not be empty';
  if (typeof value !== 'string' || !visibleAscii.test(value))
    return 'must be a string of visible ASCII characters, without spaces or line breaks';
  if (missingValue(value) === value) return `is the string ${value}. A value was missing when it was built`;
  return describeQuotes(value);
}

const isStore = (store: unknown): boolean =>
  isRecord(store) && ['get', 'set', 'lock'].every((name) => typeof store[name] === 'function');

/** Checks for a lone surrogate, which a form and JSON encode differently. */
const hasLoneSurrogate = (text: string) => /\p{Surrogate}/u.test(text);

/** The issues never contain a value. */
function readExtraBody(input: unknown): Parsed<Readonly<Record<string, string>>> {
  if (objectProblem(input) !== undefined || !isRecord(input))
    return new Parsed<never>(undefined, [{ path: '', message: 'must be an object of strings' }]);
  const fields: Record<string, string> = Object.create(null);
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (name === '' || name === '__proto__' || hasLoneSurrogate(name))
      issues.push({ path: '', message: 'has a field whose name cannot be sent' });
    else if (typeof value !== 'string') issues.push({ path: name, message: 'must be a string' });
    else if (hasLoneSurrogate(value)) issues.push({ path: name, message: 'contains a lone surrogate' });
    else fields[name] = value;
  }
  return new Parsed(Object.freeze(fields), issues);
}

export const extraBodyReader = { read: readExtraBody };

const optionReaders: OptionReaders<OAuthOptions> = {
  clientId: invalidIf(credentialProblem),
  clientSecret: invalidIf(credentialProblem),
  grantType: validIf((value) => value === false, 'must be false, or left out'),
  credentials: oneOf('body', 'basic'),
  basicEncoding: oneOf('form', 'none'),
  encoding: oneOf('json', 'form'),
  extraBody: extraBodyReader,
  store: validIf<TokenStore>(
    isStore,
    'must have get, set and lock. redisTokenStore(client) returns such a store',
  ),
};

export const oauthReader: OptionReader<OAuthOptions> = readerFor(optionReaders);

/** `extraBody` must not contain them. */
const clientFields = ['grant_type', 'client_id', 'client_secret'];

interface OAuthContext {
  readonly clientId?: string | undefined;
  readonly oauth?: OAuthOptions | undefined;
  readonly fieldNames?: WireNames | undefined;
}

export function oauthIssues({ clientId = '', oauth = {}, fieldNames }: OAuthContext): Issue[] {
  const issues: Issue[] = [];
  const { credentials = 'body', basicEncoding, extraBody = {} } = oauth;
  if ((oauth.clientId === undefined) !== (oauth.clientSecret === undefined))
    issues.push({ path: 'oauth', message: 'needs clientId and clientSecret together' });
  if (basicEncoding !== undefined && credentials === 'body')
    issues.push({ path: 'oauth.basicEncoding', message: "has no effect without credentials: 'basic'" });
  if (credentials === 'basic' && basicEncoding === 'none' && (oauth.clientId ?? clientId).includes(':'))
    issues.push({
      path: oauth.clientId === undefined ? 'clientId' : 'oauth.clientId',
      message:
        "must not contain a colon with oauth.basicEncoding 'none': a server would read what follows it as the secret (RFC 7617, 2)",
    });
  const usedNames = [...clientFields, fieldNames?.grantType];
  for (const name of Object.keys(extraBody).filter((name) => usedNames.includes(name)))
    issues.push({
      path: 'oauth.extraBody',
      message: `must not contain ${name}, which the SDK sends`,
    });
  return issues;
}
