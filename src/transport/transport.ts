import { type Authorizer, headerCredentials } from '../auth/credentials.js';
import { bearerToken } from '../auth/oauth.js';
import { TokenSource } from '../auth/token-source.js';
import { type OperationId, type OperationOf, operationById } from '../contract/index.js';
import type { ArgumentsOf, ResultOf } from '../contract/operation.js';
import type { WireNames } from '../contract/wire-names.js';
import { isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { ConfigurationError, ValidationError } from '../errors/usage.js';
import type { Issue } from '../input/issue.js';
import { Deadline } from './deadline.js';
import type { CallOptions } from './prepare/call-options.js';
import type { CallSpec } from './prepare/call-spec.js';
import { callIssues } from './prepare/check-call.js';
import { type CallArguments, type PreparedCall, prepareCall } from './prepare/prepare-call.js';
import { type RequestInput, requestCall } from './prepare/request-input.js';
import { type CallSchemas, operationSchemas } from './prepare/schemas.js';
import { cleanCause, summaryOf } from './redact/cause.js';
import { Scrubber } from './redact/scrubber.js';
import { Attempts } from './retry/attempts.js';
import { stopped } from './retry/classify-failure.js';
import { RateLimiter } from './retry/rate-limit.js';
import type { Engine, EngineName } from './send/engine.js';
import { inBrackets } from './send/engine-failures.js';
import type { Settings } from './settings.js';
import { requestToken, tokenKey } from './token/token-request.js';
import { filesIn, openFiles } from './upload/form.js';

/** What a resource says of a call beyond its arguments. */
type Extras = Pick<CallArguments, 'issues' | 'confirm' | 'resumes'>;

/** Carries the calls of one client. */
export class Transport {
  /** Which engine carries them. */
  readonly engine: EngineName;
  readonly #settings: Settings;
  readonly #headers: Authorizer;
  readonly #limiter: RateLimiter | undefined;
  #source: TokenSource | undefined;
  #bearer: Authorizer | undefined;
  #loaded: Engine | undefined;
  #loading: Promise<Engine> | undefined;
  #closed = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#headers = headerCredentials(settings.clientId, settings.clientSecret);
    const { rateLimit, rateLimits } = settings;
    this.#limiter = rateLimit === 'off' ? undefined : new RateLimiter(rateLimit, rateLimits);
    this.engine = settings.fetch === undefined && isNode() ? 'node' : 'ky';
  }

  /** Milliseconds for a call that does not say otherwise. */
  get timeout(): number {
    return this.#settings.timeout;
  }

  /** The names on the wire. */
  get names(): WireNames {
    return this.#settings.names;
  }

  /** One call of an operation of the contract, whose types it has. */
  call<Id extends OperationId>(
    id: Id,
    args: ArgumentsOf<OperationOf<Id>> & Extras,
    options?: CallOptions,
  ): Promise<ResultOf<OperationOf<Id>>> {
    const schemas = () => operationSchemas(id);
    return this.#carry(operationById(id), args, options, schemas) as Promise<ResultOf<OperationOf<Id>>>;
  }

  /** One call that the caller describes. */
  async request<Result extends object>(input: RequestInput, options?: CallOptions): Promise<Result> {
    const { spec, args, schemas } = requestCall(input);
    return this.#carry(spec, args, options, () => schemas) as Promise<Result>;
  }

  /** Lets go of idle connections. Calls under way end as they would. */
  close(): void {
    this.#closed = true;
    this.#source?.close();
    this.#loaded?.close();
  }

  /** The deadline counts from here: what is loaded first is loaded within it. */
  async #carry(
    spec: CallSpec,
    args: CallArguments,
    options: CallOptions | undefined,
    schemasOf: () => CallSchemas | Promise<CallSchemas>,
  ): Promise<object> {
    const call = prepareCall(spec, args, options, this.#settings);
    const deadline = new Deadline(call.timeout, call.signal);
    try {
      const found = schemasOf();
      const schemas = found instanceof Promise ? await deadline.race(found) : found;
      if (schemas === undefined) throw notBegun(call, deadline);
      const issues = callIssues(call, schemas);
      return await (spec.encoding === 'multipart'
        ? this.#sendForm(call, schemas, issues, deadline)
        : this.#send(call, schemas, issues, deadline));
    } catch (error) {
      throw isPaymentPlatformError(error) ? error : this.#unexpected(call, error);
    } finally {
      deadline.close();
    }
  }

  async #send(
    call: PreparedCall,
    schemas: CallSchemas,
    issues: readonly Issue[],
    deadline: Deadline,
    waitedFor?: string,
  ): Promise<object> {
    if (issues.length > 0) throw new ValidationError(call.spec.id, issues, call.givenKey);
    const access = {
      authorizer: call.auth === 'oauth' ? this.#tokens() : this.#headers,
      limiter: this.#limiter,
    };
    const engine = this.#loaded ?? this.#load();
    return new Attempts(call, schemas.response, deadline, engine, this.#settings, access, waitedFor).run();
  }

  /** Files are looked at first, within the deadline, so that one rejection names those that cannot be read too. */
  async #sendForm(
    call: PreparedCall,
    schemas: CallSchemas,
    issues: readonly Issue[],
    deadline: Deadline,
  ): Promise<object> {
    const files = filesIn(call.body);
    const open = (oneShot: boolean) =>
      openFiles(
        files.filter(([, file]) => file.oneShot === oneShot),
        deadline,
      );
    try {
      const first = await open(false);
      const known = [...issues, ...first.issues];
      if (known.length > 0) throw new ValidationError(call.spec.id, known, call.givenKey);
      if (call.confirm !== undefined && deadline.stop === undefined)
        await deadline.race(call.confirm(deadline.remaining));
      // A stream is touched only when everything else is right.
      const streams = first.waitedFor === undefined ? await open(true) : first;
      return await this.#send(call, schemas, streams.issues, deadline, streams.waitedFor);
    } finally {
      for (const [, file] of files) file.close();
    }
  }

  /** What failed before there was a request, and is no mistake of the call: a bundle without its parts, for example. */
  #unexpected({ spec, givenKey }: PreparedCall, cause: unknown): PaymentPlatformError {
    const scrubber = new Scrubber(this.#headers.secrets());
    const why = scrubber.text(summaryOf(cause));
    return new ConfigurationError(
      `${spec.id}: the request could not be made${inBrackets(why)}: nothing was handed to the network. Nothing was executed.`,
      { idempotencyKey: givenKey, cause: cleanCause(cause, (text) => scrubber.text(text)) },
    );
  }

  #tokens(): Authorizer {
    const { oauth, clientSecret } = this.#settings;
    this.#source ??= new TokenSource({
      request: async (signal) => requestToken(await this.#load(), this.#settings, signal),
      store: oauth.store,
      key: () => tokenKey(this.#settings),
    });
    this.#bearer ??= bearerToken(this.#source, clientSecret);
    return this.#bearer;
  }

  #load(): Promise<Engine> {
    this.#loading ??= this.#create().then((engine) => {
      this.#loaded = engine;
      if (this.#closed) engine.close();
      return engine;
    });
    return this.#loading;
  }

  async #create(): Promise<Engine> {
    const { baseUrl, fetch, agent } = this.#settings;
    if (this.engine === 'node') {
      const { createNodeEngine } = await import('./send/node-engine.js');
      return createNodeEngine(baseUrl, agent);
    }
    const { createKyEngine } = await import('./send/ky-engine.js');
    // Looked up at each call, so that whoever patches fetch later (a test, an instrumentation) is seen.
    return createKyEngine(baseUrl, fetch ?? ((input, init) => globalThis.fetch(input, init)));
  }
}

/** The deadline passed, or the caller aborted, while the package was being loaded. */
function notBegun(
  { spec, resumes, givenKey }: PreparedCall,
  { stop = 'timeout', reason }: Deadline,
): PaymentPlatformError {
  const { error, summary } = stopped(stop, 'not-executed');
  // Of an earlier call that this one resumes, nothing is known either.
  const outcome = resumes ? 'unknown' : 'not-executed';
  const known = resumes
    ? 'Nothing was sent, and the call that it resumes may have been executed'
    : 'Nothing was executed';
  return new error(`${spec.id}: ${summary}. ${known}.`, {
    outcome,
    idempotencyKey: givenKey,
    cause: stop === 'aborted' ? reason : undefined,
  });
}

/** Node itself, not a runtime that resembles it: those bring a fetch of their own that is better than their node:http. */
function isNode(): boolean {
  const { process } = globalThis as { process?: NodeJS.Process };
  return process?.release?.name === 'node' && process.versions.bun === undefined && !('Deno' in globalThis);
}
