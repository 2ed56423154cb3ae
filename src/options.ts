import type { OAuthOptions } from './auth/oauth.js';
import { readOAuth } from './auth/oauth-options.js';
import type { FieldNames } from './contract/assumptions.js';
import { limits, type RateLimitGroup } from './contract/limits.js';
import { isLoopback, missingValue } from './contract/patterns.js';
import { ConfigurationError } from './errors/usage.js';
import { isRecord, readFields, unreadable } from './input/record.js';
import { resolveFieldNames } from './transport/field-names.js';
import { isRetryCount, isTimeout, retryRule, timeoutRule } from './transport/prepare/call-options.js';
import type { Hooks } from './transport/report/hooks.js';
import type { RateLimitMode } from './transport/retry/rate-limit.js';
import type { Fetch, HttpAgent } from './transport/send/engine.js';
import type { Settings } from './transport/settings.js';

/** Options of the client. What is left out is taken from the environment, then from the defaults. */
export interface ClientOptions {
  /** The base address. https, or http on loopback. Or PAYMENT_PLATFORM_BASE_URL. */
  baseUrl?: string | undefined;
  /** Public identifier of the credential. Or PAYMENT_PLATFORM_CLIENT_ID. */
  clientId?: string | undefined;
  /** Its secret: never in a browser, never in a repository. Or PAYMENT_PLATFORM_CLIENT_SECRET. */
  clientSecret?: string | undefined;
  /**
   * How calls are authorised: with the headers client-id and client-secret (default), or with an OAuth
   * access token. Which endpoints accept the token is not shown: a call can say otherwise.
   */
  auth?: 'headers' | 'oauth' | undefined;
  /** How access tokens are obtained, and where they are kept. */
  oauth?: OAuthOptions | undefined;
  /**
   * What the client itself does about the rate limits that the platform states: `wait` until there is
   * room, within the deadline; reject with a RateLimitError (`error`); or leave it to the platform
   * (`off`, the default). Each client counts its own requests.
   */
  rateLimit?: RateLimitMode | undefined;
  /**
   * Requests a minute. `submerchants` (default 10, per credential): creating and updating sub-accounts,
   * and onboarding. The API document is inconsistent: an earlier statement of it gives 5, and only for
   * the calls under /v1/submerchants. `vault` (default 30, per IP): tokenizing.
   */
  rateLimits?: { readonly [Group in RateLimitGroup]?: number } | undefined;
  /** Milliseconds for a whole call: waiting, every attempt and the answer's body. Default 30000. */
  timeout?: number | undefined;
  /**
   * How often a call may be sent again. Default 2. Beside it, and also at 0, a kept connection that the
   * server had closed is replaced once, and an access token that was refused is renewed once.
   */
  maxRetries?: number | undefined;
  /** Selects the ky engine over this fetch: a sandbox, a proxy, a runtime's own. */
  fetch?: Fetch | undefined;
  /** Node engine: the agent to send through, for proxies and mTLS. Yours to close. */
  agent?: HttpAgent | undefined;
  /** Wire names by key, for names the API document does not show. */
  fieldNames?: FieldNames | undefined;
  /** Called beside a call, with secrets replaced. Nothing they do changes the call. */
  hooks?: Hooks | undefined;
}

const known = [
  'baseUrl',
  'clientId',
  'clientSecret',
  'auth',
  'oauth',
  'rateLimit',
  'rateLimits',
  'timeout',
  'maxRetries',
  'fetch',
  'agent',
  'fieldNames',
  'hooks',
] as const satisfies readonly (keyof ClientOptions)[];

const visibleAscii = /^[\x21-\x7e]+$/;

function environment(name: string): string | undefined {
  const value = globalThis.process?.env?.[name];
  return value === '' ? undefined : value;
}

function readBaseUrl(value: unknown, problems: string[]): URL | undefined {
  if (value === undefined) {
    problems.push('baseUrl is missing: pass it, or set PAYMENT_PLATFORM_BASE_URL');
    return undefined;
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined)
    problems.push('baseUrl must be an absolute URL, such as https://api.platform.example');
  else if (url.username !== '' || url.password !== '')
    problems.push('baseUrl must not carry a user name or password');
  else if (url.search !== '' || url.hash !== '')
    problems.push('baseUrl must not carry a query or a fragment');
  else if (url.protocol === 'http:' && !isLoopback(url))
    problems.push(
      `baseUrl must be https (http is for loopback only): ${url.origin} would carry the secret in the clear`,
    );
  else if (url.protocol !== 'https:' && url.protocol !== 'http:') problems.push('baseUrl must be https');
  else if (/\/v\d+\/?$/.test(url.pathname))
    problems.push('baseUrl must not end in a version: the paths of the operations begin with it');
  else return url;
  return undefined;
}

function readCredential(name: 'clientId' | 'clientSecret', value: unknown, problems: string[]): string {
  if (value === undefined) {
    const variable = name === 'clientId' ? 'PAYMENT_PLATFORM_CLIENT_ID' : 'PAYMENT_PLATFORM_CLIENT_SECRET';
    problems.push(`${name} is missing: pass it, or set ${variable}`);
  } else if (typeof value !== 'string' || !visibleAscii.test(value)) {
    problems.push(`${name} must be a string of visible ASCII characters, without spaces or line breaks`);
  } else if (missingValue(value) === value) {
    problems.push(`${name} is the text ${value}: a value was missing when it was made`);
  } else {
    return value;
  }
  return '';
}

const hookNames = ['onRequest', 'onResponse', 'onRetry', 'onDrift'] as const;

/** The hooks by their names, so that an object with methods will do as well as a literal. */
function readHooks(given: unknown, problems: string[]): Hooks {
  if (!isRecord(given)) {
    problems.push('hooks must be an object of functions');
    return {};
  }
  const read = readFields(given, hookNames);
  if (read === undefined) problems.push(`hooks ${unreadable}`);
  const { fields, unknown } = read ?? { fields: {}, unknown: [] };
  for (const name of unknown)
    problems.push(`hooks.${name} is an unknown hook (the hooks are ${hookNames.join(', ')})`);
  const hooks: Record<string, unknown> = Object.create(null);
  for (const name of hookNames) {
    const hook = fields[name];
    if (typeof hook === 'function') hooks[name] = hook.bind(given);
    else if (hook !== undefined) problems.push(`hooks.${name} must be a function`);
  }
  return Object.freeze(hooks);
}

function readRateLimits(given: unknown, problems: string[]): Readonly<Record<RateLimitGroup, number>> {
  const read: Record<RateLimitGroup, number> = { ...limits.requestsPerMinute };
  if (!isRecord(given)) problems.push('rateLimits must be an object');
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    if (!Object.hasOwn(read, name))
      problems.push(
        `rateLimits.${name} is an unknown group (the groups are ${Object.keys(read).join(', ')})`,
      );
    else if (!Number.isInteger(value) || (value as number) < 1)
      problems.push(`rateLimits.${name} must be requests a minute: an integer of at least 1`);
    else read[name as RateLimitGroup] = value as number;
  }
  return Object.freeze(read);
}

function isAgent(agent: unknown, baseUrl: URL | undefined): boolean {
  if (!isRecord(agent) || typeof agent.addRequest !== 'function' || typeof agent.destroy !== 'function')
    return false;
  const { protocol } = agent;
  return typeof protocol !== 'string' || baseUrl === undefined || protocol === baseUrl.protocol;
}

function unknownOptions(names: readonly string[]): string {
  const named = names.map((name) => {
    const meant = known.find((option) => option.toLowerCase() === name.toLowerCase());
    return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
  });
  const what = names.length === 1 ? 'unknown option' : 'unknown options';
  return `${what} ${named.join(', ')} (the options are ${known.join(', ')})`;
}

/** @throws ConfigurationError naming every problem. */
export function resolveOptions(options: ClientOptions = {}): Settings {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError('PaymentPlatform takes an object of options.');
  }
  try {
    return settingsOf(options);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError('PaymentPlatform: an option could not be read: one of its getters throws.');
  }
}

function settingsOf(options: ClientOptions): Settings {
  const problems: string[] = [];
  const given = readFields(options, known);
  if (given === undefined) throw new ConfigurationError(`PaymentPlatform: the options ${unreadable}.`);
  if (given.unknown.length > 0) problems.push(unknownOptions(given.unknown));
  const {
    baseUrl: address = environment('PAYMENT_PLATFORM_BASE_URL'),
    clientId: id = environment('PAYMENT_PLATFORM_CLIENT_ID'),
    clientSecret: secret = environment('PAYMENT_PLATFORM_CLIENT_SECRET'),
    auth = 'headers',
    oauth = {},
    rateLimit = 'off',
    rateLimits = {},
    timeout = 30_000,
    maxRetries = 2,
    fetch,
    agent,
    fieldNames = {},
    hooks = {},
  } = given.fields as ClientOptions;
  const baseUrl = readBaseUrl(address, problems);
  const clientId = readCredential('clientId', id, problems);
  const clientSecret = readCredential('clientSecret', secret, problems);
  if (auth !== 'headers' && auth !== 'oauth') problems.push("auth must be 'headers' or 'oauth'");
  if (rateLimit !== 'wait' && rateLimit !== 'error' && rateLimit !== 'off')
    problems.push("rateLimit must be 'wait', 'error' or 'off'");
  const ownLimits = readRateLimits(rateLimits, problems);
  if (!isTimeout(timeout)) problems.push(`timeout ${timeoutRule}`);
  if (!isRetryCount(maxRetries)) problems.push(`maxRetries ${retryRule}`);
  if (fetch !== undefined && typeof fetch !== 'function') problems.push('fetch must be a function');
  if (fetch !== undefined && agent !== undefined)
    problems.push('agent is for the Node engine: it has no effect beside fetch');
  if (agent !== undefined && !isAgent(agent, baseUrl)) {
    problems.push('agent must be an http.Agent, or an https.Agent where baseUrl is https');
  }
  const ownHooks = readHooks(hooks, problems);
  const wireNames = resolveFieldNames(fieldNames, problems);
  const ownOAuth = readOAuth(
    oauth,
    { clientId, wireNames: wireNames.groups.oauth.outward.map(([, wire]) => wire) },
    problems,
  );
  if (problems.length > 0 || baseUrl === undefined) {
    throw new ConfigurationError(`PaymentPlatform: ${problems.join('; ')}.`);
  }
  return Object.freeze({
    baseUrl,
    clientId,
    clientSecret,
    auth,
    oauth: ownOAuth,
    rateLimit,
    rateLimits: ownLimits,
    timeout,
    maxRetries,
    fetch,
    agent,
    wireNames,
    hooks: ownHooks,
  });
}
