import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { type AsyncDisposal, disposeWith } from '../input/dispose.js';
import { controlOf, type SandboxControl } from './control/control.js';
import { clientIdOf, type MerchantReference, merchantOf } from './control/merchant-control.js';
import { type SandboxWebhooks, webhooksOf } from './control/webhooks.js';
import { isControl } from './control-api/paths.js';
import type { ControlApi } from './control-api/router.js';
import { DeliveryFaults } from './faults/delivery-faults.js';
import { Faults, type SandboxFaults } from './faults/request-faults.js';
import { problem } from './http/answers.js';
import { type Answer, inProcess } from './http/apply-fault.js';
import { createHandlers } from './http/handlers.js';
import { Journal, type SandboxJournal } from './http/journal.js';
import { PlatformRequests } from './http/platform-requests.js';
import { createRouter } from './http/router.js';
import { type ListenOptions, type SandboxServer, serve } from './http/server.js';
import { AccessTokens } from './merchants/access-tokens.js';
import type { SandboxClientOptions, SandboxFetch } from './merchants/client-options.js';
import type { CredentialOptions, MerchantOptions } from './merchants/merchant.js';
import { Merchants } from './merchants/merchants.js';
import { RateLimits } from './merchants/rate-limits.js';
import { type SandboxOptions, settingsOf } from './options.js';
import { Ledger, type SandboxLedger } from './payments/ledger.js';
import { Random, unpredictable } from './random/random.js';
import { Changes } from './state/changes.js';
import type { SandboxState } from './state/saved.js';
import { Sequence } from './state/sequence.js';
import { newState, State } from './state/state.js';
import { StateFile } from './state/state-file.js';
import { Clock, type SandboxClock } from './time/clock.js';
import type { Sandbox, SandboxMerchant } from './types.js';
import { Authority } from './wallet/certificate-authority.js';
import { Deliveries } from './webhooks/deliveries.js';
import { DeliveryHeaders } from './webhooks/delivery-headers.js';
import { InProcessReceivers } from './webhooks/in-process-receivers.js';

const baseUrl = 'https://sandbox.payment-platform.test';

/** The address of requests that arrive without a socket. */
const ownProcess = 'in process';

/** The id of the first withdrawal. The API document states only that ids are numeric. */
const firstWithdrawal = 100_001;

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
  readonly #merchants: Merchants;
  /** What the options say to its clients, too. */
  readonly #forClients: Pick<SandboxClientOptions, 'fieldNames' | 'checks'>;
  readonly #tokens: AccessTokens;
  readonly #requests: PlatformRequests;
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
    const { seed, now, merchant, signature, tokenLifetime, approveAfter, rateLimits } = settings;
    const state = new State(seed);
    this.#state = state;
    state.listen(this.#changes);
    const random = (purpose: string) => new Random(seed, purpose, state);
    const secretsFrom = (seeded: Random) => (settings.seededSecrets ? seeded : unpredictable);
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
    const { fieldNames, checks } = settings;
    this.#forClients = { ...(fieldNames && { fieldNames }), ...(checks && { checks }) };
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
        checksOff: settings.rules.checksOff,
        names: settings.names,
        state,
        closing: this.#closing.signal,
      },
      merchant,
      secretsFrom,
    );
    this.#rateLimits = new RateLimits(this.#clock, rateLimits);
    const router = createRouter({
      merchants: this.#merchants,
      tokens: this.#tokens,
      rateLimits: this.#rateLimits,
      handlers: createHandlers(this.#merchants, this.#tokens),
      faults: this.#faults,
      clock: this.#clock,
      updates: settings.updates,
      names: settings.names,
    });

    this.#requests = new PlatformRequests({
      merchants: this.#merchants,
      tokens: this.#tokens,
      clock: this.#clock,
      faults: this.#faults,
      journal: this.#journal,
      changes: this.#changes,
      router,
      rules: settings.rules,
      maxBody: settings.maxBody,
      requestIds: random('requests'),
      requestIdHeader: settings.names.requestIdHeader,
      saved: (response) => this.#saved(response),
      closing: this.#closing.signal,
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
    return { ...this.#merchants.credentials(clientIdOf(reference)), ...this.#forClients };
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
    return this.#requests.answer(request, stream, address, leaving);
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

/** Rejects as soon as the signal aborts, without waiting for the work. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
