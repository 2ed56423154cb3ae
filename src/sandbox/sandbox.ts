import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import type { FieldNames } from '../contract/assumptions.js';
import type { WireNames } from '../contract/wire-names.js';
import { type AsyncDisposal, disposeWith } from '../input/dispose.js';
import { Changes } from './changes.js';
import { controlOf, type SandboxControl } from './control.js';
import { isControl } from './control-api/paths.js';
import type { ControlApi } from './control-api/router.js';
import { changesByRequest, noting, notingPart } from './control-changes.js';
import { createHandlers } from './handlers.js';
import { problem } from './http/answers.js';
import { Faults, type SandboxFaults } from './http/faults.js';
import { type Answer, inProcess, pause, spoil } from './http/faulty-answer.js';
import { Journal, type SandboxJournal } from './http/journal.js';
import { readBody } from './http/read-body.js';
import { bodyLimits, receive } from './http/receive-body.js';
import type { RequestBody } from './http/request-body.js';
import { createRouter, type Exchange, type Router } from './http/router.js';
import { type ListenOptions, type SandboxServer, serve } from './http/server.js';
import { accessOf } from './merchants/access.js';
import { AccessTokens } from './merchants/access-tokens.js';
import type { SandboxClientOptions, SandboxFetch } from './merchants/client-options.js';
import type { MerchantOptions } from './merchants/merchant.js';
import { type MerchantReference, merchantOf } from './merchants/merchant-control.js';
import { Merchants } from './merchants/merchants.js';
import { RateLimits } from './merchants/rate-limits.js';
import { type SandboxOptions, settingsOf } from './options.js';
import { Ledger, type SandboxLedger } from './payments/ledger.js';
import { Random, unpredictable } from './random.js';
import { Sequence } from './sellers/id-sequence.js';
import { Clock, type SandboxClock } from './time/clock.js';
import { Authority } from './wallet/authority.js';
import { Deliveries } from './webhooks/deliveries.js';
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
  readonly #faults = new Faults(() => this.#changes.note('faults'));
  readonly #journal = new Journal();
  /** Bytes. */
  readonly #maxBody: number;
  readonly #merchants: Merchants;
  readonly #names: WireNames;
  readonly #fieldNames: FieldNames | undefined;
  readonly #requestIds: Random;
  readonly #router: Router;
  readonly #tokens: AccessTokens;
  readonly #servers = new Set<SandboxServer>();
  readonly #closing = new AbortController();

  constructor(options: SandboxOptions) {
    // Each waiting request adds a listener.
    setMaxListeners(0, this.#closing.signal);
    const settings = settingsOf(options);
    const { seed, now, merchant, signature, tokenLifetime, approveAfter, rateLimits, maxBody } = settings;
    const random = (purpose: string) => new Random(seed, purpose);
    const secretsFrom = (seeded: Random) => (settings.seededSecrets ? seeded : unpredictable);
    this.#requestIds = random('requests');
    this.#clock = new Clock(now, () =>
      this.#changes.note('clock', 'payments', 'onboarding', 'submerchants', 'deliveries'),
    );
    this.#deliveries = new Deliveries(this.#clock, random('deliveries'), signature, () =>
      this.#changes.note('deliveries'),
    );
    const ledger = new Ledger();
    const authority = new Authority(this.#clock, random('authority'));
    this.#maxBody = maxBody;
    this.#names = settings.names;
    this.#fieldNames = settings.fieldNames;
    this.#tokens = new AccessTokens(this.#clock, secretsFrom(random('access tokens')), tokenLifetime);
    this.#merchants = new Merchants(
      seed,
      {
        clock: this.#clock,
        deliveries: this.#deliveries,
        ledger,
        authority,
        withdrawalIds: new Sequence(firstWithdrawal),
        approveAfter,
        fee: settings.fee,
        subscriptions: settings.subscriptions,
        names: settings.names,
        secretsFrom,
        closing: this.#closing.signal,
      },
      merchant,
    );
    this.#router = createRouter({
      merchants: this.#merchants,
      tokens: this.#tokens,
      rateLimits: new RateLimits(this.#clock, rateLimits),
      handlers: createHandlers(this.#merchants, this.#tokens),
      faults: this.#faults,
      names: settings.names,
    });

    this.clock = this.#clock;
    const control = controlOf({
      merchants: this.#merchants,
      ledger,
      tokens: this.#tokens,
      authority,
      clientOptions: (reference) => this.#clientOptions(reference),
    });
    this.control = noting(control, this.#changes);
    this.faults = this.#faults;
    this.journal = this.#journal;
    this.ledger = ledger;
    const webhooks = webhooksOf(this.#merchants, this.#deliveries);
    this.webhooks = notingPart(webhooks, this.#changes, ['endpoints']);
  }

  clientOptions(): SandboxClientOptions {
    return this.#clientOptions();
  }

  addMerchant(options: MerchantOptions = {}): SandboxMerchant {
    const { clientId } = this.#merchants.add(options);
    this.#changes.note('merchants');
    return Object.freeze({ clientId, clientOptions: () => this.#clientOptions({ clientId }) });
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
    await Promise.all([this.#deliveries.close(), ...Array.from(this.#servers, (server) => server.close())]);
  }

  /** A summary for `console.log`. */
  [inspect.custom](): string {
    const counts = {
      merchants: this.#merchants.list().length,
      requests: this.#journal.requests.length,
      charges: this.ledger.charges.length,
      deliveries: this.webhooks.deliveries.length,
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
        payments: this.#merchants.list().reduce((sum, { payments }) => sum + payments.size, 0),
        requests: this.#journal.size,
        deliveries: this.#deliveries.notifications.length,
      }),
      clientOptions: () => this.clientOptions(),
      addMerchant: (options) => this.addMerchant(options),
    });
  }

  #optionsOf(reference: MerchantReference | undefined) {
    const { credentials } = merchantOf(this.#merchants, reference);
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
      return { kind: 'response', response: await controlApi(request, stream) };
    }
    const { headers } = request;
    const isKnown = 'merchant' in accessOf(headers, this.#merchants, this.#tokens);
    const limits = bodyLimits(headers, isKnown, this.#maxBody);
    const received = await receive(headers, stream, limits);
    leaving?.throwIfAborted();
    if (received === 'too-large') return { kind: 'response', response: tooLarge(limits.most) };
    const reading = received.bytes === undefined ? notKept : readBody(headers, received.bytes);
    // Only forms are parsed asynchronously: other requests are executed in the step in which they arrive.
    const body = reading instanceof Promise ? await reading : reading;
    this.#closing.signal.throwIfAborted();
    const entry = this.#journal.open(request, received.digest, body, this.#clock.timestamp());
    this.#changes.note('journal');
    const exchange: Exchange = { entry, body, address, fault: undefined };
    const response = await this.#router.fetch(request, exchange);
    this.#changes.note(...changesByRequest(entry));
    response.headers.set(this.#names.requestIdHeader, this.#requestIds.uuid());
    const answer =
      exchange.fault === undefined
        ? ({ kind: 'response', response } as const)
        : spoil(exchange.fault, response);
    const delay = exchange.fault?.delay ?? 0;
    if (delay > 0) await pause(delay, request.signal, this.#closing.signal);
    if ('response' in answer) {
      entry.status = answer.response.status;
      // An answer of a fault is in the entry's fault.
      if (answer.response === response) await this.#journal.answered(entry, response);
    }
    if (entry.status === 401) this.#journal.refused(entry);
    this.#changes.note('journal');
    return answer;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const notKept: RequestBody = { encoding: 'multipart', value: undefined };

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
