import type { WireNames } from '../contract/wire-names.js';
import type { Issue } from '../input/issue.js';
import { oneOf, optionsOf, type Reader, type Readers, that } from '../input/options.js';
import { Read } from '../input/read.js';
import { isRecord } from '../input/record.js';
import type { OAuthOptions } from './oauth.js';
import type { TokenStore } from './token-store.js';

const isStore = (store: unknown): boolean =>
  isRecord(store) && ['get', 'set', 'lock'].every((name) => typeof store[name] === 'function');

/** A form and JSON would write half a character differently. */
const isTorn = (text: string) => /\p{Surrogate}/u.test(text);

/** Texts, under names that can be sent; never told with a value. */
function readExtraBody(given: unknown): Read<Readonly<Record<string, string>>> {
  if (!isRecord(given))
    return new Read<never>(undefined, [{ path: '', message: 'must be an object of texts' }]);
  const texts: Record<string, string> = Object.create(null);
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name === '' || name === '__proto__' || isTorn(name))
      issues.push({ path: '', message: 'has a field whose name cannot be sent' });
    else if (typeof value !== 'string') issues.push({ path: name, message: 'must be text' });
    else if (isTorn(value)) issues.push({ path: name, message: 'has half a character (a lone surrogate)' });
    else texts[name] = value;
  }
  return new Read(Object.freeze(texts), issues);
}

const readers: Readers<OAuthOptions> = {
  credentials: oneOf('body', 'basic'),
  basicEncoding: oneOf('form', 'none'),
  encoding: oneOf('json', 'form'),
  extraBody: { read: readExtraBody },
  store: that<TokenStore>(isStore, 'must have get, set and lock: redisTokenStore(client) makes one'),
};

/** How the option `oauth` of the client is read. */
export const oauthReader: Reader<OAuthOptions> = optionsOf(readers);

/** What a token request sends itself: an extra field takes none of these names. */
const ownFields = ['grant_type', 'client_id', 'client_secret'];

interface Context {
  readonly clientId?: string | undefined;
  readonly oauth?: OAuthOptions | undefined;
  readonly fieldNames?: WireNames | undefined;
}

/** What does not go together among the options of a client. */
export function oauthIssues({ clientId = '', oauth = {}, fieldNames }: Context): Issue[] {
  const issues: Issue[] = [];
  const { credentials = 'body', basicEncoding, extraBody = {} } = oauth;
  if (basicEncoding !== undefined && credentials === 'body')
    issues.push({ path: 'oauth.basicEncoding', message: "has no effect without credentials: 'basic'" });
  if (credentials === 'basic' && basicEncoding === 'none' && clientId.includes(':'))
    issues.push({
      path: 'clientId',
      message:
        "must not contain a colon with oauth.basicEncoding 'none': a server would read what follows it as the secret (RFC 7617, 2)",
    });
  const taken = [...ownFields, fieldNames?.wireOf('oauth.grant_type')];
  for (const name of Object.keys(extraBody).filter((name) => taken.includes(name)))
    issues.push({ path: 'oauth.extraBody', message: `must not carry ${name}: the client sends that itself` });
  return issues;
}
