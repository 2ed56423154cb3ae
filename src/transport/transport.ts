import { type Authorizer, headerCredentials } from '../auth/credentials.js';
import { bearerToken } from '../auth/oauth.js';
import { TokenSource } from '../auth/token-source.js';
import type { OperationId } from '../contract/index.js';
import type { Operation } from '../contract/operation.js';
import { isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { ConfigurationError, ValidationError } from '../errors/usage.js';
import { Deadline } from './deadline.js';
import { type CallOptions, isSignal, isTimeout } from './prepare/call-options.js';
import {
  type Draft,
  draft,
  givenKey,
  type Input,
  type Prepared,
  prepare,
  type Trip,
} from './prepare/prepare-call.js';
import { cleanCause, summaryOf } from './redact/cause.js';
import { Scrubber } from './redact/scrubber.js';
import { Road } from './retry/attempts.js';
import { stopped } from './retry/classify-failure.js';
import { RateLimiter } from './retry/rate-limit.js';
import type { Engine, EngineName } from './send/engine.js';
import { inBrackets } from './send/engine-failures.js';
import type { Settings } from './settings.js';
import { requestToken, tokenKey } from './token/token-request.js';
import { filesIn, openFiles, readFiles } from './upload/form.js';

type Contract = typeof import('../contract/index.js');

/** Loaded with the first call: importing the package costs little, and a webhook receiver never needs it. */
let contract: Contract | undefined;

async function loadContract(): Promise<Contract> {
  contract ??= await import('../contract/index.js');
  return contract;
}

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

  /** One call of an operation of the contract. */
  call<Result extends object>(id: OperationId, input: Input, options?: CallOptions): Promise<Result> {
    return this.#carry(id, input, options, ({ operationById }) => operationById(id)) as Promise<Result>;
  }

  /** One call that the caller describes. Where it is an operation of the contract, it means the same, but for a `neverAgain`. */
  request<Result extends object>(
    given: Trip,
    input: Input,
    options?: CallOptions,
    neverAgain = false,
  ): Promise<Result> {
    const tripOf = ({ operations }: Contract): Trip => {
      const known =
        operations.find(({ method, path }) => method === given.method && path === given.path) ??
        operations.find(({ method, path }) => method === given.method && fits(path, given.path));
      const meaning = known && meaningOf(known);
      const replay = neverAgain ? ({ replay: 'never' } as const) : undefined;
      return { ...given, ...meaning, ...replay };
    };
    return this.#carry(given.id, input, options, tripOf) as Promise<Result>;
  }

  /** Lets go of idle connections. Calls under way end as they would. */
  close(): void {
    this.#closed = true;
    this.#source?.close();
    this.#loaded?.close();
  }

  /** The deadline counts from here: what is loaded first is loaded within it. */
  async #carry(
    id: string,
    input: Input,
    options: CallOptions | undefined,
    tripOf: (contract: Contract) => Trip,
  ): Promise<object> {
    const drafted = draft(input, options);
    const { timeout, signal } = drafted.options;
    const deadline = new Deadline(
      isTimeout(timeout) ? timeout : this.#settings.timeout,
      isSignal(signal) ? signal : undefined,
    );
    try {
      const loaded = contract ?? (await deadline.race(loadContract()));
      if (loaded === undefined) throw notBegun(id, drafted, deadline);
      const trip = tripOf(loaded);
      return await (drafted.isForm
        ? this.#sendForm(trip, drafted, deadline)
        : this.#travel(prepare(trip, drafted, this.#settings), deadline));
    } catch (error) {
      throw isPaymentPlatformError(error) ? error : this.#unexpected(id, drafted, error);
    } finally {
      deadline.close();
    }
  }

  /** Files are looked at first, within the deadline, so that one rejection names those that cannot be read too. */
  async #sendForm(trip: Trip, drafted: Draft, deadline: Deadline): Promise<object> {
    const { body, issues, confirm } = drafted;
    readFiles(body, trip.files, issues);
    const files = filesIn(body);
    const open = (oneShot: boolean) =>
      openFiles(
        files.filter(([, file]) => file.oneShot === oneShot),
        issues,
        deadline,
      );
    try {
      const waitedFor = await open(false);
      const prepared = prepare(trip, drafted, this.#settings);
      if (confirm !== undefined && deadline.stop === undefined)
        await deadline.race(confirm(deadline.remaining));
      // A stream is touched only when everything else is right.
      const stillWaitedFor = waitedFor ?? (await open(true));
      if (issues.length > 0) throw new ValidationError(trip.id, issues, prepared.key);
      return await this.#travel({ ...prepared, waitedFor: stillWaitedFor }, deadline);
    } finally {
      for (const [, file] of files) file.close();
    }
  }

  #travel(prepared: Prepared, deadline: Deadline): Promise<object> {
    const gates = {
      authorizer: prepared.auth === 'oauth' ? this.#tokens() : this.#headers,
      limiter: this.#limiter,
    };
    return new Road(prepared, deadline, this.#loaded ?? this.#load(), this.#settings, gates).travel();
  }

  /** What failed before there was a request, and is no mistake of the call: a bundle without its parts, for example. */
  #unexpected(id: string, { options }: Draft, cause: unknown): PaymentPlatformError {
    const scrubber = new Scrubber(this.#headers.secrets());
    const why = scrubber.text(summaryOf(cause));
    return new ConfigurationError(
      `${id}: the request could not be made${inBrackets(why)}: nothing was handed to the network. Nothing was executed.`,
      { idempotencyKey: givenKey(options), cause: cleanCause(cause, (text) => scrubber.text(text)) },
    );
  }

  #tokens(): Authorizer {
    const { oauth, clientSecret } = this.#settings;
    this.#source ??= new TokenSource({
      request: async (signal) => {
        const { operationById } = await loadContract();
        return requestToken(operationById('oauth.token'), await this.#load(), this.#settings, signal);
      },
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
  id: string,
  { options, resumes }: Draft,
  { stop = 'timeout', reason }: Deadline,
): PaymentPlatformError {
  const { error, summary } = stopped(stop, 'not-executed');
  // Of an earlier call that this one resumes, nothing is known either.
  const outcome = resumes ? 'unknown' : 'not-executed';
  const known = resumes
    ? 'Nothing was sent, and the call that it resumes may have been executed'
    : 'Nothing was executed';
  return new error(`${id}: ${summary}. ${known}.`, {
    outcome,
    idempotencyKey: givenKey(options),
    cause: stop === 'aborted' ? reason : undefined,
  });
}

/** Whether a path that was written out is one of a template. */
function fits(template: string, path: unknown): boolean {
  const pattern = template.replace(/\{\w+\}/g, '[^/]+');
  return typeof path === 'string' && new RegExp(`^${pattern}$`).test(path);
}

/** What a call means, whoever wrote it out. */
const meaningOf = ({ replay, conflict, idempotencyKey, rateLimit }: Operation): Partial<Trip> => ({
  replay,
  conflict,
  idempotencyKey,
  ...(rateLimit !== undefined && { rateLimit }),
});

/** Node itself, not a runtime that resembles it: those bring a fetch of their own that is better than their node:http. */
function isNode(): boolean {
  const { process } = globalThis as { process?: NodeJS.Process };
  return process?.release?.name === 'node' && process.versions.bun === undefined && !('Deno' in globalThis);
}
