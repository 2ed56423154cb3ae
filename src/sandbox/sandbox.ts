import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import type { FieldNames } from '../contract/assumptions.js';
import type { WireNames } from '../contract/wire-names.js';
import { type AsyncDisposal, disposeWith } from '../input/dispose.js';
import { Changes } from './changes.js';
import type { Rules } from './choices/rules.js';
import { controlOf, type SandboxControl } from './control.js';
import { isControl } from './control-api/paths.js';
import type { ControlApi } from './control-api/router.js';
import { createHandlers } from './handlers.js';
import { problem, withErrorBody } from './http/answers.js';
import { bodyDigest } from './http/body-digest.js';
import { Faults, type PendingFault, type SandboxFaults } from './http/faults.js';
import { type Answer, inProcess, pause, spoil } from './http/faulty-answer.js';
import { Journal, type OpenEntry, type SandboxJournal } from './http/journal.js';
import { operationOf } from './http/operation-of.js';
import { readBody } from './http/read-body.js';
import { bodyLimits, receive } from './http/receive-body.js';
import type { RequestBody } from './http/request-body.js';
import { createRouter, type Exchange, notCarriedOut, type Router } from './http/router.js';
import { type ListenOptions, type SandboxServer, serve } from './http/server.js';
import { accessOf } from './merchants/access.js';
import { AccessTokens } from './merchants/access-tokens.js';
import type { SandboxClientOptions, SandboxFetch } from './merchants/client-options.js';
import type { CredentialOptions, MerchantOptions } from './merchants/merchant.js';
import { clientIdOf, type MerchantReference, merchantOf } from './merchants/merchant-control.js';
import { Merchants } from './merchants/merchants.js';
import { RateLimits } from './merchants/rate-limits.js';
import { type SandboxOptions, settingsOf } from './options.js';
import { sha256 } from './payload-digest.js';
import { Ledger, type SandboxLedger } from './payments/ledger.js';
import { Random, unpredictable } from './random.js';
import type { SandboxState } from './state/saved.js';
import { Sequence } from './state/sequence.js';
import { newState, State } from './state/state.js';
import { StateFile } from './state/state-file.js';
import { Clock, type SandboxClock } from './time/clock.js';
import { Authority } from './wallet/authority.js';
import { Deliveries } from './webhooks/deliveries.js';
import { DeliveryFaults } from './webhooks/delivery-faults.js';
import { DeliveryHeaders } from './webhooks/delivery-headers.js';
import { InProcessReceivers } from './webhooks/in-process-receivers.js';
import { type SandboxWebhooks, webhooksOf } from './webhooks/webhooks.js';

const baseUrl = 'https://sandbox.payment-platform.test';

/** The address of requests that arrive without a socket. */
const ownProcess = 'in process';

/** The id of the first withdrawal. The API document states only that ids are numeric. */
const firstWithdrawal = 100_001;

/** A merchant of the sandbox. Only `clientOptions()` contains its secret. */
export interface SandboxMerchant extends MerchantReference {
  /** For a client in the same process. */
  clientOptions(): SandboxClientOptions;
}

/** The payment platform in miniature, created by `createSandbox`. */
export interface Sandbox extends AsyncDisposal {
  /** The sandbox's time, which a test can move forward. */
  readonly clock: SandboxClock;
  /** What happens outside the API: a payer pays, a review ends, an endpoint is suspended. */
  readonly control: SandboxControl;
  /** Faults on the way to the platform: lost answers, broken connections, error statuses. */
  readonly faults: SandboxFaults;
  /** The requests that were received, without their secrets. */
  readonly journal: SandboxJournal;
  /** Every charge that was made. */
  readonly ledger: SandboxLedger;
  /** The endpoints of merchants, and the deliveries to them. */
  readonly webhooks: SandboxWebhooks;
  /**
   * Answers a request as the platform does. The host of the URL is ignored. Behaves like `fetch`: rejects
   * with the reason of an aborted signal, and with a TypeError if a fault breaks the connection.
   */
  readonly fetch: SandboxFetch;
  /** For a client in the same process: no socket is opened. */
  clientOptions(): SandboxClientOptions;
  /**
   * Adds another merchant. It cannot see the data of the others.
   *
   * @throws TypeError naming every problem of the options: a client id that is taken, an unknown option or feature.
   */
  addMerchant(options?: MerchantOptions): SandboxMerchant;
  /**
   * Serves the sandbox over HTTP, by default on a free port of 127.0.0.1. Requests from web pages are
   * refused: 421 for a Host that is not the server's own or one of `allowedHosts`, 403 for another origin.
   *
   * @throws TypeError naming every problem of the options; the errors of Node if the address is in use.
   */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Another credential of a merchant: it reaches all that the others of the merchant reach, and has rate limits and
   * access tokens of its own. Without a merchant, for the sandbox's first one.
   *
   * @throws TypeError naming every problem of the options: a client id that is taken, an unknown option or merchant.
   */
  addCredential(merchant?: MerchantReference, options?: CredentialOptions): SandboxMerchant;
  /** Everything that the sandbox keeps, for `createSandbox({ state })`. The journal and faults are not in it. */
  save(): SandboxState;
  /**
   * Goes back to the beginning: no payments, sellers, endpoints, deliveries, tokens, faults and journal, and the
   * first time of the clock. The merchants stay, with their credentials and features.
   */
  reset(): Promise<void>;
  /** Stops every server, timer, pending delivery and hanging request. Afterwards the sandbox answers nothing. */
  close(): Promise<void>;
}

/** `await using sandbox = createSandbox()` closes it at the end of the block. */
export interface MiniaturePlatform extends AsyncDisposal {}

/** The parts of a sandbox. Secrets are in private fields, so that they are not printed. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block defines what the interface declares
export class MiniaturePlatform implements Sandbox {
  static {
    disposeWith(MiniaturePlatform.prototype, (sandbox) => sandbox.close());
  }

  readonly clock: SandboxClock;
  readonly control: SandboxControl;
  readonly faults: SandboxFaults;
  readonly journal: SandboxJournal;
  readonly ledger: SandboxLedger;
  readonly webhooks: SandboxWebhooks;
  /** Bound, so that it can be passed as a function. */
  readonly fetch: SandboxFetch = (input, init) => this.#fetch(input, init);

  readonly #changes = new Changes();
  readonly #clock: Clock;
  /** Loaded with the first request to it: few sandboxes are controlled from outside. */
  #controlApi: Promise<ControlApi> | undefined;
  readonly #deliveries: Deliveries;
  readonly #faults: Faults;
  readonly #journal = new Journal();
  /** Bytes. */
  readonly #maxBody: number;
  readonly #merchants: Merchants;
  readonly #names: WireNames;
  readonly #fieldNames: FieldNames | undefined;
  readonly #requestIds: Random;
  readonly #rules: Rules;
  readonly #router: Router;
  readonly #tokens: AccessTokens;
  readonly #servers = new Set<SandboxServer>();
  readonly #state: State;
  readonly #ledger: Ledger;
  /** Of the new sandbox. */
  readonly #first: SandboxState;
  readonly #file: StateFile | undefined;
  readonly #rateLimits: RateLimits;
  readonly #closing = new AbortController();

  constructor(options: SandboxOptions) {
    // Each waiting request adds a listener.
    setMaxListeners(0, this.#closing.signal);
    const settings = settingsOf(options);
    const { seed, now, merchant, signature, tokenLifetime, approveAfter, rateLimits, maxBody } = settings;
    const state = new State(seed);
    this.#state = state;
    state.listen(this.#changes);
    const random = (purpose: string) => new Random(seed, purpose, state);
    const secretsFrom = (seeded: Random) => (settings.seededSecrets ? seeded : unpredictable);
    this.#requestIds = random('requests');
    this.#clock = new Clock(now, state);
    const noteFault = () => this.#changes.note('faults');
    this.#faults = new Faults(random('faults'), noteFault);
    const receivers = new InProcessReceivers();
    this.#deliveries = new Deliveries({
      clock: this.#clock,
      random: random('deliveries'),
      headers: new DeliveryHeaders(this.#clock, signature),
      faults: new DeliveryFaults(random('delivery faults'), noteFault),
      receivers,
      tables: state,
      rules: settings.rules,
      endpointFailed: (id) => {
        const match = this.#merchants.owning(({ endpoints }) => endpoints.find(id));
        match?.owner.endpoints.setStatus(match.found, 'failed');
      },
      endpoint: (id) => this.#merchants.owning(({ endpoints }) => endpoints.find(id))?.found,
    });
    const ledger = new Ledger(state);
    this.#ledger = ledger;
    const authority = new Authority(this.#clock, random('authority'), state);
    this.#maxBody = maxBody;
    this.#rules = settings.rules;
    this.#names = settings.names;
    this.#fieldNames = settings.fieldNames;
    this.#tokens = new AccessTokens(this.#clock, secretsFrom(random('access tokens')), tokenLifetime, state);
    this.#merchants = new Merchants(
      seed,
      {
        clock: this.#clock,
        deliveries: this.#deliveries,
        ledger,
        authority,
        withdrawalIds: new Sequence('last withdrawal', firstWithdrawal, state),
        approveAfter,
        fee: settings.fee,
        rules: settings.rules,
        subscriptions: settings.subscriptions,
        httpWebhookHosts: settings.httpWebhookHosts,
        names: settings.names,
        state,
        closing: this.#closing.signal,
      },
      merchant,
      secretsFrom,
    );
    this.#rateLimits = new RateLimits(this.#clock, rateLimits);
    this.#router = createRouter({
      merchants: this.#merchants,
      tokens: this.#tokens,
      rateLimits: this.#rateLimits,
      handlers: createHandlers(this.#merchants, this.#tokens),
      faults: this.#faults,
      names: settings.names,
    });

    this.clock = this.#clock;
    this.control = controlOf({
      merchants: this.#merchants,
      ledger,
      tokens: this.#tokens,
      authority,
      clientOptions: (reference) => this.#clientOptions(reference),
    });
    this.faults = this.#faults;
    this.journal = this.#journal;
    this.ledger = ledger;
    this.webhooks = webhooksOf(this.#merchants, this.#deliveries, receivers);

    this.#first = state.save();
    if (settings.state !== undefined) this.#goOnFrom(settings.state, settings.merchant);
    this.#file = settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile, state);
  }

  clientOptions(): SandboxClientOptions {
    return this.#clientOptions();
  }

  addMerchant(options: MerchantOptions = {}): SandboxMerchant {
    const { clientId } = this.#merchants.add(options);
    return this.#reference(clientId);
  }

  addCredential(merchant?: MerchantReference, options: CredentialOptions = {}): SandboxMerchant {
    const { clientId } = this.#merchants.addCredential(merchantOf(this.#merchants, merchant), options);
    return this.#reference(clientId);
  }

  save(): SandboxState {
    return this.#state.save();
  }

  async reset(): Promise<void> {
    await this.#deliveries.stop();
    this.#restore(newState(this.#first, this.#state.save()));
    this.#faults.reset();
    this.#deliveries.faults.reset();
    this.#journal.clear();
    this.#changes.note('journal');
    this.#rateLimits.clear();
    this.#file?.flush();
  }

  async listen(options: ListenOptions = {}): Promise<SandboxServer> {
    this.#closing.signal.throwIfAborted();
    const { url, port, close } = await serve(
      (request, body, address) => this.#answer(request, body, address),
      options,
    );
    const server: SandboxServer = {
      url,
      port,
      clientOptions: (merchant) => ({ baseUrl: url, ...this.#optionsOf(merchant) }),
      close: async () => {
        this.#servers.delete(server);
        await close();
      },
    };
    this.#servers.add(server);
    return server;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox is closed.'));
    this.#clock.close();
    await Promise.all([this.#deliveries.stop(), ...Array.from(this.#servers, (server) => server.close())]);
    this.#file?.close();
  }

  #reference(clientId: string): SandboxMerchant {
    return Object.freeze({ clientId, clientOptions: () => this.#clientOptions({ clientId }) });
  }

  #restore(state: SandboxState): void {
    this.#state.restore(state);
    this.#merchants.resume();
    this.#deliveries.resume();
  }

  /** @throws TypeError if the state is damaged, or has no such credential. */
  #goOnFrom(state: SandboxState, { clientId, clientSecret }: MerchantOptions): void {
    try {
      this.#restore(state);
    } catch (cause) {
      throw new TypeError(`createSandbox: the state is damaged: ${(cause as Error).message}`, { cause });
    }
    const problem = this.#merchants.credentialProblem(clientId, clientSecret);
    if (problem !== undefined) throw new TypeError(`createSandbox: ${problem}`);
  }

  /** A summary for `console.log`. */
  [inspect.custom](): string {
    const counts = {
      merchants: this.#merchants.list().length,
      requests: this.#journal.requests.length,
      charges: this.#ledger.size,
      deliveries: this.#deliveries.count,
    };
    const numbers = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
    const urls = Array.from(this.#servers, ({ url }) => `'${url}'`);
    const state = this.#closing.signal.aborted ? ['closed'] : [];
    return `Sandbox { ${[`clock: ${this.#clock.timestamp()}`, ...numbers, `servers: [${urls.join(', ')}]`, ...state].join(', ')} }`;
  }

  async #loadControlApi(): Promise<ControlApi> {
    const { createControlApi } = await import('./control-api/router.js');
    return createControlApi({
      clock: this.clock,
      control: this.control,
      faults: this.faults,
      journal: this.journal,
      ledger: this.ledger,
      webhooks: this.webhooks,
      changes: this.#changes,
      closing: this.#closing.signal,
      counts: () => ({
        payments: this.#ledger.size,
        requests: this.#journal.size,
        deliveries: this.#deliveries.notifications.length,
      }),
      clientOptions: () => this.clientOptions(),
      addMerchant: (options) => this.addMerchant(options),
      reset: () => this.reset(),
    });
  }

  #optionsOf(reference: MerchantReference | undefined) {
    const credentials = this.#merchants.credentials(clientIdOf(reference));
    return { ...credentials, ...(this.#fieldNames !== undefined && { fieldNames: this.#fieldNames }) };
  }

  #clientOptions(reference?: MerchantReference): SandboxClientOptions {
    return { baseUrl, ...this.#optionsOf(reference), fetch: this.fetch };
  }

  async #fetch(input: Request | string | URL, init: RequestInit | undefined): Promise<Response> {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    return unlessAborted(this.#inProcess(request), request.signal);
  }

  async #inProcess(request: Request): Promise<Response> {
    const { signal, body } = request;
    const answer = await this.#answer(request, body ?? nothing(), ownProcess, signal);
    return inProcess(answer, signal, this.#closing.signal);
  }

  /** @param leaving aborts a request in process that has not been received yet; over HTTP, a received request is always executed. */
  async #answer(
    request: Request,
    stream: AsyncIterable<Uint8Array>,
    address: string,
    leaving?: AbortSignal,
  ): Promise<Answer> {
    if (isControl(request)) {
      this.#controlApi ??= this.#loadControlApi();
      const controlApi = await this.#controlApi;
      this.#closing.signal.throwIfAborted();
      return { kind: 'response', response: this.#saved(await controlApi(request, stream)) };
    }
    const { headers } = request;
    const early = this.#faults.takeBeforeRead(operationOf(request));
    if (early !== undefined) {
      const entry = this.#journal.open(request, sha256(''), notRead, this.#clock.timestamp());
      entry.operation = operationOf(request);
      entry.fault = early.fault;
      return this.#spoiled(request, entry, early, notCarriedOut());
    }
    const isKnown = 'merchant' in accessOf(headers, this.#merchants, this.#tokens);
    const limits = bodyLimits(headers, isKnown, this.#maxBody);
    const received = await receive(headers, stream, limits);
    leaving?.throwIfAborted();
    if (received === 'too-large') return { kind: 'response', response: tooLarge(limits.most) };
    const reading = received.bytes === undefined ? notKept : readBody(headers, received.bytes);
    // Only forms are parsed asynchronously: other requests are executed in the step in which they arrive.
    const body = reading instanceof Promise ? await reading : reading;
    this.#closing.signal.throwIfAborted();
    const entry = this.#journal.open(request, bodyDigest(received, body), body, this.#clock.timestamp());
    this.#changes.note('journal');
    const exchange: Exchange = { entry, body, address, fault: undefined };
    const answered = await this.#router.fetch(request, exchange);
    const response = this.#saved(await withErrorBody(answered, this.#rules.errorBody));
    response.headers.set(this.#names.requestIdHeader, this.#requestIds.uuid());
    if (exchange.fault !== undefined) return this.#spoiled(request, entry, exchange.fault, response);
    this.#answered(entry, response);
    this.#journal.answered(entry, response);
    return { kind: 'response', response };
  }

  async #spoiled(
    request: Request,
    entry: OpenEntry,
    fault: Readonly<PendingFault>,
    response: Response,
  ): Promise<Answer> {
    const { answer, delay } = await spoil(fault, response);
    if (delay > 0) await pause(delay, request.signal, this.#closing.signal);
    if ('response' in answer) {
      this.#answered(entry, answer.response);
      // An answer of a fault is in the entry's fault.
      if (answer.response === response) this.#journal.answered(entry, response);
    }
    return answer;
  }

  #answered(entry: OpenEntry, { status }: Response): void {
    entry.status = status;
    if (status === 401) this.#journal.refused(entry);
    this.#changes.note('journal');
  }

  /** The response, once what it acknowledges is written. */
  #saved(response: Response): Response {
    try {
      this.#file?.flush();
      return response;
    } catch (error) {
      return problem(500, 'state_not_written', (error as Error).message);
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const notKept: RequestBody = { encoding: 'multipart', value: undefined };

const notRead: RequestBody = { encoding: 'other', value: undefined };

const tooLarge = (most: number) =>
  problem(413, 'body_too_large', `The body has more than ${most} bytes. Only forms may have more than 1 MB.`);

/** Rejects as soon as the signal aborts, without waiting for the work. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
