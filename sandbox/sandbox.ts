import { inspect } from '#sandbox-runtime';
import { serve } from '#sandbox-server';
import { StateFile } from '#sandbox-state-file';
import { type AsyncDisposal, disposeWith } from '../src/validation/methods.js';
import { version } from '../src/version.js';
import { assemble, type Parts } from './assemble.js';
import { createControl, type SandboxControl } from './control/control.js';
import { withRecordedControlCalls, withRecordedWebhookCalls } from './control/recorded-calls.js';
import type { Sandbox, SandboxMerchant } from './control/sandbox-interface.js';
import { observe } from './control/timeline-entries.js';
import { createWebhookControl, type SandboxWebhooks } from './control/webhooks.js';
import type { ControlApi } from './control-api/router.js';
import type { SandboxFaults } from './faults/request-faults.js';
import type { Outcome } from './http/apply-fault.js';
import { isControl, sandboxHeader } from './http/control-paths.js';
import { inProcessFetch } from './http/in-process-fetch.js';
import type { SandboxJournal } from './http/journal.js';
import type { ListenOptions, SandboxServer } from './http/node-server.js';
import { createProblem } from './http/responses.js';
import { addFaults, addInitialData, type InitialData } from './initial-data.js';
import type { SandboxClientOptions, SandboxFetch } from './merchants/client-options.js';
import type { CredentialOptions, MerchantOptions } from './merchants/merchant.js';
import { findClientId, type MerchantReference } from './merchants/merchant-reference.js';
import { resolveSettings, type SandboxOptions } from './options.js';
import type { SandboxLedger } from './payments/ledger.js';
import type { SandboxState } from './state/saved-state.js';
import { newState } from './state/state.js';
import { summarize } from './summary.js';
import type { SandboxClock } from './time/clock.js';
import type { TimelineEntry } from './timeline/timeline.js';

const baseUrl = 'https://sandbox.payment-platform.test';

/** `await using sandbox = createSandbox()` closes the sandbox at the end of the block. */
export interface PlatformSandbox extends AsyncDisposal {}

/** Secrets are in private fields, so that they are not printed. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block defines what the interface declares
export class PlatformSandbox implements Sandbox {
  static {
    disposeWith(PlatformSandbox.prototype, (sandbox) => sandbox.close());
  }

  readonly clock: SandboxClock;
  readonly control: SandboxControl;
  readonly faults: SandboxFaults;
  readonly journal: SandboxJournal;
  readonly ledger: SandboxLedger;
  readonly webhooks: SandboxWebhooks;
  /** Bound, so that it can be passed as a function. */
  readonly fetch: SandboxFetch;

  readonly #parts: Parts;
  readonly #options: SandboxOptions;
  readonly #forClients: Pick<SandboxClientOptions, 'fieldNames' | 'checks'>;
  readonly #isRepeatable: boolean;
  /** The state that `reset` restores. */
  readonly #first: SandboxState;
  readonly #initialData: InitialData;
  readonly #file: StateFile | undefined;
  readonly #servers = new Set<SandboxServer>();
  /** The control API is loaded with its first request, because few sandboxes are controlled from outside. */
  #controlApi: Promise<ControlApi> | undefined;

  constructor(options: SandboxOptions) {
    const settings = resolveSettings(options);
    this.#options = { ...options };
    this.#forClients = settings.forClients;
    this.#isRepeatable = settings.isRepeatable;
    const parts = assemble(settings, (response) => this.#saved(response));
    this.#parts = parts;
    const { clock, faults, journal, timeline, ledger, merchants, deliveries, receivers, closing } = parts;
    this.clock = clock;
    this.faults = faults;
    this.journal = journal;
    this.ledger = ledger;
    this.webhooks = withRecordedWebhookCalls(
      createWebhookControl(merchants, deliveries, receivers),
      timeline,
    );
    this.control = withRecordedControlCalls(
      createControl({ ...parts, clientOptions: (reference) => this.#clientOptions(reference) }),
      timeline,
    );
    this.fetch = inProcessFetch((...request) => this.#handle(...request), closing.signal);
    this.#initialData = settings.initialData;
    try {
      addInitialData(this, this.#initialData);
      addFaults(this, this.#initialData);
    } catch (error) {
      void this.close();
      throw error;
    }
    this.#first = parts.state.save();
    if (settings.state !== undefined) goOnFrom(parts, settings.state, settings.merchant);
    this.#file =
      settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile, parts.state);
  }

  clientOptions(): SandboxClientOptions {
    return this.#clientOptions();
  }

  addMerchant(options: MerchantOptions = {}): SandboxMerchant {
    const add = () => this.#parts.merchants.add(options).clientId;
    return this.#merchant(this.#parts.timeline.noteCall('addMerchant', [], add));
  }

  addCredential(merchant?: MerchantReference, options: CredentialOptions = {}): SandboxMerchant {
    const { merchants, timeline } = this.#parts;
    const owner = merchants.get(findClientId(merchant));
    const add = () => merchants.addCredential(owner, options).clientId;
    return this.#merchant(timeline.noteCall('addCredential', [], add));
  }

  save(): SandboxState {
    return this.#parts.state.save();
  }

  async reset(): Promise<void> {
    const { deliveries, state, faults, journal, timeline, changes, rateLimits } = this.#parts;
    await deliveries.stop();
    restore(this.#parts, newState(this.#first, state.save(), this.#isRepeatable));
    faults.reset();
    deliveries.faults.reset();
    addFaults(this, this.#initialData);
    journal.clear();
    timeline.clear();
    changes.note('journal');
    rateLimits.clear();
    this.#file?.flush();
  }

  observe(listener: (entry: TimelineEntry) => void): () => void {
    if (typeof listener !== 'function') throw new TypeError('observe: the listener must be a function');
    return observe(this, this.#parts.timeline, listener);
  }

  async listen(options: ListenOptions = {}): Promise<SandboxServer> {
    this.#parts.closing.signal.throwIfAborted();
    const { url, port, close } = await serve((...request) => this.#handle(...request), options);
    const server: SandboxServer = {
      url,
      port,
      clientOptions: (merchant) => ({ baseUrl: url, ...this.#buildOptions(merchant) }),
      close: async () => {
        this.#servers.delete(server);
        await close();
      },
    };
    this.#servers.add(server);
    return server;
  }

  async close(): Promise<void> {
    const { closing, clock, deliveries } = this.#parts;
    closing.abort(new Error('The sandbox is closed.'));
    clock.close();
    await Promise.all([deliveries.stop(), ...Array.from(this.#servers, (server) => server.close())]);
    this.#file?.close();
  }

  /** For `console.log`. */
  [inspect.custom](): string {
    return summarize(this.#parts, this.#servers);
  }

  #merchant(clientId: string): SandboxMerchant {
    return Object.freeze({ clientId, clientOptions: () => this.#clientOptions({ clientId }) });
  }

  #buildOptions(reference: MerchantReference | undefined) {
    return { ...this.#parts.merchants.credentials(findClientId(reference)), ...this.#forClients };
  }

  #clientOptions(reference?: MerchantReference): SandboxClientOptions {
    return { baseUrl, ...this.#buildOptions(reference), fetch: this.fetch };
  }

  async #handle(
    request: Request,
    body: AsyncIterable<Uint8Array>,
    address: string,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!isControl(request)) return this.#parts.requests.handle(request, body, address, signal);
    this.#controlApi ??= import('./control-api/router.js').then(({ createControlApi }) =>
      createControlApi(this, { ...this.#parts, options: this.#options }),
    );
    const controlApi = await this.#controlApi;
    this.#parts.closing.signal.throwIfAborted();
    const response = this.#saved(await controlApi(request, body));
    response.headers.set(sandboxHeader, version);
    return { kind: 'response', response };
  }

  #saved(response: Response): Response {
    try {
      this.#file?.flush();
      return response;
    } catch (error) {
      return createProblem(500, 'state_not_written', (error as Error).message);
    }
  }
}

function restore({ state, merchants, deliveries }: Parts, saved: SandboxState): void {
  state.restore(saved);
  merchants.resume();
  deliveries.resume();
}

/** @throws TypeError if the state is damaged, or lacks the given credential */
function goOnFrom(parts: Parts, state: SandboxState, { clientId, clientSecret }: MerchantOptions): void {
  try {
    restore(parts, state);
    parts.timeline.missStart();
  } catch (cause) {
    throw new TypeError(`createSandbox: the state is damaged: ${(cause as Error).message}`, { cause });
  }
  const problem = parts.merchants.credentialProblem(clientId, clientSecret);
  if (problem !== undefined) throw new TypeError(`createSandbox: ${problem}`);
}
