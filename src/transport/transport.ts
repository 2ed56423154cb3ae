import { withHint } from '#platform';
import {
  type AuthMode,
  type Authorizer,
  clientHeaders,
  createHeaderAuthorizer,
} from '../auth/credentials.js';
import { createBearerAuthorizer } from '../auth/oauth.js';
import { TokenSource } from '../auth/token-source.js';
import { shapes } from '../contract/generated/shapes.js';
import { getOperation, type OperationId, type OperationOf } from '../contract/index.js';
import type { ArgumentsOf, ResultOf } from '../contract/operation.js';
import type { WireNames } from '../contract/wire-names.js';
import { type ErrorDetails, isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { TimeoutError } from '../errors/network.js';
import { ConfigurationError, earlierMayBeExecuted, ValidationError } from '../errors/usage.js';
import { codeOrName } from '../redact/cause.js';
import { MessageRedactor } from '../redact/message-redactor.js';
import type { Issue } from '../validation/issue.js';
import { isRecord } from '../validation/record.js';
import { type CallSchemas, type CallSpec, redactedOperation } from './call/call-spec.js';
import { Deadline } from './call/deadline.js';
import { CallSender } from './call-sender.js';
import type { CallOptions } from './prepare/call-options.js';
import { type CallArguments, type PreparedCall, prepareCall } from './prepare/prepare-call.js';
import { type RequestInput, requestCall } from './prepare/request-input.js';
import { RateLimiter } from './retry/rate-limit.js';
import type { EngineName, Engines, HttpClient } from './send/http-client.js';
import { merchantId, type Settings } from './settings.js';
import { requestToken, tokenKey } from './token/token-request.js';
import { closeFiles, listFiles, openFiles } from './upload/form.js';

type ResourceArguments = Pick<CallArguments, 'issues' | 'checkBeforeSending' | 'mayHaveRunBefore'>;

export class Transport {
  readonly engine: EngineName;
  readonly #settings: Settings;
  readonly #authorizers = new Map<AuthMode, Authorizer>();
  readonly #limiter: RateLimiter | undefined;
  readonly #httpClient: LazyHttpClient;
  readonly #sharesHttpClient: boolean;
  #tokenSource: TokenSource | undefined;

  constructor(settings: Settings, client: Engines | LazyHttpClient) {
    this.#settings = settings;
    this.#limiter = settings.rateLimit === 'off' ? undefined : new RateLimiter(settings);
    this.#sharesHttpClient = client instanceof LazyHttpClient;
    this.#httpClient = client instanceof LazyHttpClient ? client : new LazyHttpClient(settings, client);
    this.engine = this.#httpClient.name;
  }

  /** Its tokens and limits are its own, and the connections are shared. */
  sharingHttpClient(change: (settings: Settings) => Settings): Transport {
    return new Transport(change(this.#settings), this.#httpClient);
  }

  get baseUrl(): string {
    return this.#settings.baseUrl.href;
  }

  get merchant(): Pick<Settings, 'clientId'> & { readonly baseUrl: string } {
    return { baseUrl: this.baseUrl, clientId: merchantId(this.#settings) };
  }

  /** Of a call, in milliseconds. */
  get timeout(): number {
    return this.#settings.timeoutMs;
  }

  get names(): WireNames {
    return this.#settings.names;
  }

  call<Id extends OperationId>(
    id: Id,
    args: ArgumentsOf<OperationOf<Id>> & ResourceArguments,
    options?: CallOptions,
  ): Promise<ResultOf<OperationOf<Id>>> {
    return this.#execute(getOperation(id), shapes[id], args, options) as Promise<ResultOf<OperationOf<Id>>>;
  }

  check<Id extends OperationId>(id: Id, args: ArgumentsOf<OperationOf<Id>>, options?: CallOptions): void {
    const call = prepareCall(getOperation(id), shapes[id], args, options, this.#settings);
    rejectInvalid(call, call.issues);
  }

  async request<Result extends object>(input: RequestInput, options?: CallOptions): Promise<Result> {
    const call = requestCall(input);
    return this.#execute(call.spec, call.shapes, call.args, options) as Promise<Result>;
  }

  async warmUp(): Promise<void> {
    const deadline = new Deadline(this.#settings.timeoutMs, undefined);
    try {
      const authorizer = this.#authorizer(this.#settings.auth);
      await Promise.all([this.#httpClient.load(), authorized(authorizer, deadline)]);
    } catch (error) {
      throw isPaymentPlatformError(error) ? error : this.#unexpectedError('warmUp', error);
    } finally {
      deadline.close();
    }
  }

  /** Running calls continue. */
  close(): void {
    this.#tokenSource?.close();
    if (!this.#sharesHttpClient) this.#httpClient.close();
  }

  /** The deadline starts here and includes loading modules. */
  async #execute(
    spec: CallSpec,
    shapes: CallSchemas,
    args: CallArguments,
    options: CallOptions | undefined,
  ): Promise<object> {
    const call = prepareCall(spec, shapes, args, options, this.#settings);
    const deadline = new Deadline(call.timeoutMs, call.signal);
    const isForm = spec.encoding === 'multipart';
    try {
      const waitedFor = isForm ? await this.#openFiles(call, deadline) : rejectInvalid(call, call.issues);
      const span = this.#settings.telemetry?.call(redactedOperation(spec), call.callerKey);
      const sender = new CallSender({
        call,
        deadline,
        httpClient: this.#httpClient.loaded ?? this.#httpClient.load(),
        settings: this.#settings,
        authorizer: this.#authorizer(call.auth),
        limiter: this.#limiter,
        span,
        waitedFor,
      });
      return await (span === undefined ? sender.send() : span.observe(() => sender.send()));
    } catch (error) {
      if (isPaymentPlatformError(error)) throw error;
      throw this.#unexpectedError(call.spec.id, error, { ...unsent(call), idempotencyKey: call.callerKey });
    } finally {
      deadline.close();
      if (isForm) closeFiles(call.body);
    }
  }

  /** The ValidationError also names unreadable files. Returns the field of a file that was too slow. */
  async #openFiles(call: PreparedCall, deadline: Deadline): Promise<string | undefined> {
    const files = listFiles(call.body);
    const open = (oneShot: boolean) =>
      openFiles(
        files.filter(([, file]) => file.oneShot === oneShot),
        deadline,
      );
    const first = await open(false);
    rejectInvalid(call, [...call.issues, ...first.issues]);
    if (call.checkBeforeSending !== undefined && deadline.stopReason === undefined)
      await deadline.race(call.checkBeforeSending(deadline.remainingMs));
    // Streams are opened last, after all other checks have passed: reading one consumes it.
    const streams = first.waitedFor === undefined ? await open(true) : first;
    rejectInvalid(call, streams.issues);
    return streams.waitedFor;
  }

  /** For example, a module can be missing from a bundle. */
  #unexpectedError(subject: string, cause: unknown, known: ErrorDetails = {}): PaymentPlatformError {
    const rest =
      known.outcome === 'unknown' ? earlierMayBeExecuted : 'Nothing was sent. Nothing was executed.';
    return new ConfigurationError(
      `${subject}: the request could not be sent${withHint(codeOrName(cause))}. ${rest}`,
      known,
    );
  }

  #authorizer(mode: AuthMode): Authorizer {
    let authorizer = this.#authorizers.get(mode);
    if (authorizer === undefined) {
      authorizer = this.#createAuthorizer(mode);
      this.#authorizers.set(mode, authorizer);
    }
    return authorizer;
  }

  #createAuthorizer(mode: AuthMode): Authorizer {
    const { clientId, clientSecret, oauth } = this.#settings;
    if (mode === 'headers') return createHeaderAuthorizer(clientId, clientSecret);
    this.#tokenSource ??= new TokenSource({
      request: async (signal) => requestToken(await this.#httpClient.load(), this.#settings, signal),
      store: oauth.store,
      key: () => tokenKey(this.#settings),
    });
    const beside = mode === 'both' ? clientHeaders(clientId, clientSecret) : {};
    return createBearerAuthorizer(this.#tokenSource, [clientSecret, oauth.clientSecret ?? ''], beside);
  }
}

/** Clients that `with` derives from a client share its HTTP client. */
class LazyHttpClient {
  readonly name: EngineName;
  loaded: HttpClient | undefined;
  readonly #settings: Settings;
  readonly #engines: Engines;
  readonly #loadNodeClient: ReturnType<Engines['nodeClientLoader']>;
  #loading: Promise<HttpClient> | undefined;
  #closed = false;

  constructor(settings: Settings, engines: Engines) {
    this.#settings = settings;
    this.#engines = engines;
    this.#loadNodeClient = settings.fetch === undefined ? engines.nodeClientLoader() : undefined;
    this.name = this.#loadNodeClient === undefined ? 'ky' : 'node';
  }

  load(): Promise<HttpClient> {
    this.#loading ??= this.#create().then((httpClient) => {
      this.loaded = httpClient;
      if (this.#closed) httpClient.close();
      return httpClient;
    });
    return this.#loading;
  }

  close(): void {
    this.#closed = true;
    this.loaded?.close();
  }

  async #create(): Promise<HttpClient> {
    const { baseUrl, fetch, agent } = this.#settings;
    if (this.#loadNodeClient !== undefined) return this.#loadNodeClient(baseUrl, agent);
    const { createKyClient, runtimeFetch } = await this.#engines.loadKyClient();
    return createKyClient(baseUrl, fetch ?? runtimeFetch);
  }
}

/** The outcome is still `unknown` if an earlier call with the same idempotency key may have been executed. */
const unsent = ({ spec, mayHaveRunBefore }: PreparedCall): ErrorDetails => ({
  ...redactedOperation(spec),
  outcome: mayHaveRunBefore ? 'unknown' : 'not-executed',
});

function rejectInvalid(call: PreparedCall, issues: readonly Issue[]): undefined {
  if (issues.length > 0)
    throw new ValidationError(
      call.spec.id,
      issues,
      call.callerKey,
      unsent(call),
      withValues(issues, call.body),
    );
}

const maxValueLength = 40;

/** Adds the invalid value to a message that only states the rule, unless the value is secret or personal. */
function withValues(issues: readonly Issue[], body: unknown): readonly Issue[] {
  const redactor = new MessageRedactor({ named: body });
  return issues.map((issue) => {
    const value = issue.path
      .split('.')
      .reduce<unknown>(
        (inside, name) => (isRecord(inside) || Array.isArray(inside) ? Reflect.get(inside, name) : undefined),
        body,
      );
    if (
      !/^(?:string|number|boolean)$/.test(typeof value) ||
      !/^must (?!.*\b(?:got|not)\b)/.test(issue.message)
    )
      return issue;
    // A string that was passed in the wrong field can be a name, an address or an account. A string with
    // letters is therefore shown only if the field accepts a fixed set of values.
    const isShowable =
      typeof value !== 'string' || /one of/.test(issue.message) || !/\p{L}|\d{5}/u.test(value);
    const json = JSON.stringify(value);
    if (!isShowable || json.length > maxValueLength || !redactor.isSafe(json)) return issue;
    return { ...issue, message: issue.message.replace(/(?=\. [A-Z])|$/, `, got ${json}`) };
  });
}

async function authorized(authorizer: Authorizer, deadline: Deadline): Promise<void> {
  const headers = authorizer.headers(deadline);
  if (!(headers instanceof Promise)) return;
  try {
    if ((await deadline.race(headers)) === undefined)
      throw new TimeoutError('warmUp: no access token arrived in time. Nothing was executed.', {});
  } finally {
    authorizer.stopWaiting(headers);
  }
}
