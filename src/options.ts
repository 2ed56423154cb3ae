import type { OAuthOptions } from './auth/oauth.js';
import { credentialProblem, extraBodyReader, oauthIssues, oauthReader } from './auth/oauth-options.js';
import { baseUrlReader, hostNames, insecureIssues } from './base-url.js';
import type { FieldNames } from './contract/overrides.js';
import { type Checks, checksOff, checksProblem } from './contract/sdk-checks.js';
import { defaultWireNames, readFieldNames, type WireNames } from './contract/wire-names.js';
import { ConfigurationError } from './errors/usage.js';
import { type Telemetry, telemetryReader } from './telemetry/telemetry.js';
import type { Hooks } from './transport/call/hooks.js';
import { auth, maxRetries, timeout } from './transport/prepare/call-options.js';
import {
  type RateLimitMode,
  type RateLimits,
  rateLimitIssues,
  rateLimitReaders,
  rateLimitSettings,
} from './transport/retry/rate-limit-options.js';
import type { Fetch, HttpAgent } from './transport/send/http-client.js';
import type { Settings } from './transport/settings.js';
import { unknownName } from './validation/closest-name.js';
import { type Issue, listIssues, Parsed } from './validation/issue.js';
import {
  type Accepted,
  functionReader,
  invalidIf,
  type OptionReaders,
  orFromEnvironment,
  readerFor,
  readOptions,
  validIf,
} from './validation/options.js';
import { isRecord } from './validation/record.js';

/**
 * The options of `new PaymentPlatform`. `baseUrl`, `clientId` and `clientSecret` are required, here or in the
 * environment.
 */
export interface ClientOptions {
  /**
   * The base address, which must use https. For loopback addresses and the hosts in `insecureHosts`, it can
   * also use http. Default: the environment variable `PAYMENT_PLATFORM_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /**
   * Hosts that `baseUrl` can use over plain http, in addition to loopback addresses, for example
   * `['sandbox']` for a sandbox service in docker-compose. Pass exact host names, or IPv6 addresses in
   * brackets, without a port. The client secret and card data travel unencrypted to these hosts, so use this
   * option only on a network that nobody else can access. Default: none.
   */
  insecureHosts?: readonly string[] | undefined;
  /**
   * The public identifier of the credential. Default: the environment variable `PAYMENT_PLATFORM_CLIENT_ID`.
   */
  clientId?: string | undefined;
  /**
   * The secret of the credential. Never use it in a browser or store it in a repository. Default: the
   * environment variable `PAYMENT_PLATFORM_CLIENT_SECRET`.
   */
  clientSecret?: string | undefined;
  /**
   * How to authorise calls. `headers` (default) sends client-id and client-secret, `oauth` sends an access
   * token, and `both` sends the headers and the token. `both` also sends the headers with the token request.
   * The API docs require the headers on every endpoint, but call the token an alternative. The API docs do
   * not say which endpoints accept the token. The `auth` call option overrides this option for one call.
   */
  auth?: 'headers' | 'oauth' | 'both' | undefined;
  /** How to request access tokens, and where to store them. */
  oauth?: OAuthOptions | undefined;
  /**
   * How the client handles the documented rate limits. `wait` delays a request until it is allowed, but not
   * beyond the deadline. `error` rejects the call instead. `off` leaves the limits to the platform. Default
   * `off`, or `wait` with a `rateLimits.store`. Without a store, each client counts only its own requests.
   */
  rateLimit?: RateLimitMode | undefined;
  /**
   * The limits for `rateLimit`, in requests per minute, and the store that lets processes share one count.
   */
  rateLimits?: RateLimits | undefined;
  /**
   * The time limit for a whole call, in milliseconds, including all waits, all attempts and the response's
   * body. Default 30000.
   */
  timeout?: number | undefined;
  /**
   * The maximum number of times that the SDK retries a call. Default 2. Two retries do not count towards this
   * limit, and can happen even if the limit is 0. One happens after the server has closed a keep-alive
   * connection. The other uses a new access token after the platform has rejected the old token.
   */
  maxRetries?: number | undefined;
  /** The fetch function that the ky engine uses, for example one from a sandbox, a proxy or a runtime. */
  fetch?: Fetch | undefined;
  /**
   * The agent that the Node engine uses, for proxies and mTLS. Pass an `http.Agent`, an `https.Agent` if
   * `baseUrl` is https, or an agent from a package (https-proxy-agent, proxy-agent, tunnel). The client does
   * not close the agent.
   */
  agent?: HttpAgent | undefined;
  /** Your platform's names, by key, for fields that the API docs do not name. See `assumptions`. */
  fieldNames?: FieldNames | undefined;
  /**
   * Which checks the SDK applies beyond the rules in the API docs. `all` (default): every check in
   * `sdkChecks`, which also documents the reason for each check. `document`: only the rules in the API docs.
   * To turn individual checks off, pass an object, such as `{ 'key.missingValue': false }` for keys that
   * deliberately contain the word undefined.
   */
  checks?: Checks | undefined;
  /**
   * Error codes of a 409 that mean: the platform is still executing a request with the same idempotency key.
   * The SDK then waits, and sends the request again with the key. The API docs show no such code. Default:
   * none.
   */
  inProgressCodes?: readonly string[] | undefined;
  /**
   * Functions that the SDK runs during a call. In third-party messages passed to these functions, the SDK
   * hides the call's confidential values. The client ignores the functions' results and errors.
   */
  hooks?: Hooks | undefined;
  /**
   * Traces and measures calls: `openTelemetry(api)`, where `api` is the module `@opentelemetry/api`.
   * Default: none.
   */
  telemetry?: Telemetry | undefined;
}

const hookReaders: OptionReaders<Hooks> = {
  onRequest: functionReader(),
  onResponse: functionReader(),
  onRetry: functionReader(),
  onDrift: functionReader(),
  onRateLimitFallback: functionReader(),
};

const suggestHooks = (issue: Issue): Issue =>
  Object.hasOwn(hookReaders, issue.path)
    ? { ...issue, message: unknownName('option', `hooks.${issue.path}`, []) }
    : issue;

/** Binds each hook to its object, so that hooks can be methods of a class. */
function readHooks(input: unknown): Parsed<Hooks> {
  const { value = {}, issues } = readOptions(input, hookReaders, 'hook');
  const bound: Record<string, unknown> = {};
  for (const [name, hook] of Object.entries(value)) bound[name] = hook?.bind(input);
  return new Parsed<Hooks>(Object.freeze(bound), issues);
}

const wrongAgent = 'must be an http.Agent, or an https.Agent where baseUrl is https';

/** Checks for an agent by `addRequest`, the method that node:http also requires. */
const isAgent = (agent: unknown): boolean => isRecord(agent) && typeof agent.addRequest === 'function';

/**
 * Finds the protocol of a Node agent. Undefined for third-party agents, which accept both protocols. Their
 * `protocol` is a getter that depends on the caller (agent-base), or is missing (tunnel).
 */
const findProtocol = (agent: object): unknown => Object.getOwnPropertyDescriptor(agent, 'protocol')?.value;

function readNames(value: unknown): Parsed<WireNames> {
  const { names, issues } = readFieldNames(value);
  return new Parsed(names, issues);
}

/** In milliseconds, and a number of retries. */
export const clientDefaults = { timeout: 30_000, maxRetries: 2 };

const optionReaders: OptionReaders<ClientOptions, { fieldNames: WireNames }> = {
  baseUrl: orFromEnvironment('PAYMENT_PLATFORM_BASE_URL', baseUrlReader),
  insecureHosts: hostNames,
  clientId: orFromEnvironment('PAYMENT_PLATFORM_CLIENT_ID', invalidIf(credentialProblem)),
  clientSecret: orFromEnvironment('PAYMENT_PLATFORM_CLIENT_SECRET', invalidIf(credentialProblem)),
  auth,
  oauth: oauthReader,
  rateLimit: rateLimitReaders.rateLimit,
  rateLimits: rateLimitReaders.rateLimits,
  timeout,
  maxRetries,
  fetch: functionReader(),
  agent: validIf(isAgent, wrongAgent),
  fieldNames: { read: readNames },
  checks: invalidIf(checksProblem),
  inProgressCodes: {
    read: (value) =>
      isListOfCodes(value)
        ? new Parsed(Object.freeze([...value]))
        : new Parsed<never>(undefined, [{ path: '', message: 'must be a list of strings' }]),
  },
  hooks: { read: readHooks },
  telemetry: telemetryReader,
};

const isListOfCodes = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((code) => typeof code === 'string' && code !== '');

function combinationIssues(options: Accepted<typeof optionReaders>): Issue[] {
  const { baseUrl, insecureHosts, agent, fetch } = options;
  const issues = insecureIssues(baseUrl, insecureHosts);
  if (fetch !== undefined && agent !== undefined)
    issues.push({ path: 'agent', message: 'has no effect together with fetch. Pass one of them' });
  const protocol = agent === undefined ? undefined : findProtocol(agent);
  if (baseUrl !== undefined && typeof protocol === 'string' && protocol !== new URL(baseUrl).protocol)
    issues.push({ path: 'agent', message: wrongAgent });
  return [...issues, ...oauthIssues(options), ...rateLimitIssues(options)];
}

export function resolveOptions(options: ClientOptions = {}): Settings {
  const { value, issues } = readOptions(options, optionReaders);
  const problems = [...issues.map(suggestHooks), ...combinationIssues(value ?? {})];
  if (problems.length > 0) throw new ConfigurationError(listIssues('PaymentPlatform', problems));
  const input = value ?? {};
  const baseUrl = new URL(input.baseUrl ?? '');
  return Object.freeze({
    baseUrl,
    clientId: input.clientId ?? '',
    clientSecret: input.clientSecret ?? '',
    auth: input.auth ?? 'headers',
    oauth: input.oauth ?? {},
    ...rateLimitSettings(input),
    timeoutMs: input.timeout ?? clientDefaults.timeout,
    maxRetries: input.maxRetries ?? clientDefaults.maxRetries,
    fetch: input.fetch,
    agent: input.agent,
    inProgressCodes: input.inProgressCodes ?? [],
    names: input.fieldNames ?? defaultWireNames,
    checksOff: checksOff(input.checks),
    hooks: input.hooks ?? {},
    telemetry: input.telemetry?.calls(baseUrl),
  });
}

/** The credentials of another merchant, for `platform.with`. */
export interface Credentials {
  /** The merchant's client id. */
  clientId: string;
  /** The merchant's client secret. */
  clientSecret: string;
  /**
   * Other credentials for the merchant's token requests, and other fields. Default: `clientId`, `clientSecret` and
   * this client's `extraBody`.
   */
  oauth?: Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'extraBody'> | undefined;
}

const credentialPairReaders = {
  clientId: invalidIf<string>(credentialProblem),
  clientSecret: invalidIf<string>(credentialProblem),
};
const credentialReaders = {
  ...credentialPairReaders,
  oauth: readerFor({ ...credentialPairReaders, extraBody: extraBodyReader }),
};

export function withCredentials(settings: Settings, input: Credentials): Settings {
  const { value, issues } = readOptions(input, credentialReaders);
  const { clientId = '', clientSecret = '', oauth } = value ?? {};
  const isMissing = (name: string, credential: string) =>
    credential === '' && issues.every(({ path }) => path !== '' && path !== name);
  const missing = Object.entries({ clientId, clientSecret })
    .filter(([name, credential]) => isMissing(name, credential))
    .map(([path]) => ({ path, message: 'is required' }));
  // This client's token credentials are dropped. They must never be used for another merchant.
  const { clientId: _, clientSecret: __, ...others } = settings.oauth;
  const changed = { ...settings, clientId, clientSecret, oauth: { ...others, ...oauth } };
  const problems = [...issues, ...missing, ...oauthIssues(changed)];
  if (problems.length > 0) throw new ConfigurationError(listIssues('platform.with', problems));
  return Object.freeze(changed);
}
