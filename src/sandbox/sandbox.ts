import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { requestIdHeader } from './answers.js';
import { Clock, type SandboxClock } from './clock.js';
import { controlOf, type SandboxControl } from './control.js';
import { Deliveries, type SignatureOptions } from './deliveries.js';
import { Endpoints } from './endpoints.js';
import { Faults, type SandboxFaults } from './faults.js';
import { createHandlers } from './handlers.js';
import { Journal, type SandboxJournal } from './journal.js';
import { readJson } from './json-body.js';
import { Ledger, type SandboxLedger } from './ledger.js';
import { Payments } from './payments.js';
import { Random } from './random.js';
import { type Credentials, createRouter, type Exchange, type Router } from './router.js';
import { type ListenOptions, type SandboxServer, serve } from './server.js';
import { notify, type SandboxWebhooks, webhooksOf } from './webhooks.js';
import { type Answer, inProcess, pause, spoil } from './wire.js';

/** How a sandbox is made. */
export interface SandboxOptions {
  /** An integer. The same seed gives the same ids, tokens and lines. Default 1. */
  seed?: number;
  /**
   * Freezes the clock at a time, from which only `clock.advance` moves it: a Date, milliseconds, or
   * text that Date reads. Without it the clock follows the system's.
   */
  now?: Date | string | number;
  /** Default: an obviously fake one, from the seed. */
  clientId?: string;
  /** Default: an obviously fake one, from the seed. */
  clientSecret?: string;
  /** How deliveries are signed. */
  signature?: SignatureOptions;
}

/** What a client needs to use the sandbox in process. */
export interface SandboxClientOptions extends Credentials {
  baseUrl: string;
  fetch: SandboxFetch;
}

/** The signature of the standard `fetch`. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

const baseUrl = 'https://sandbox.payment-platform.test';

/** The payment platform in miniature. It is made by `createSandbox`. */
export interface Sandbox {
  readonly clock: SandboxClock;
  readonly control: SandboxControl;
  readonly faults: SandboxFaults;
  readonly journal: SandboxJournal;
  readonly ledger: SandboxLedger;
  readonly webhooks: SandboxWebhooks;
  /**
   * Answers a request as the platform does, whatever its origin. Takes the place of `fetch`: it rejects
   * with the reason of an aborted signal, and with a TypeError when a fault breaks the connection.
   */
  readonly fetch: SandboxFetch;
  /** For a client in the same process: no socket is opened. */
  clientOptions(): SandboxClientOptions;
  /** Serves the sandbox over HTTP, by default on a free port of 127.0.0.1. */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /** Ends every server, timer, delivery in flight and hanging request. Afterwards the sandbox answers nothing. */
  close(): Promise<void>;
}

/** What a sandbox consists of. What nobody may see printed is in private fields. */
export class MiniaturePlatform implements Sandbox {
  readonly clock: SandboxClock;
  readonly control: SandboxControl;
  readonly faults: SandboxFaults;
  readonly journal: SandboxJournal;
  readonly ledger: SandboxLedger;
  readonly webhooks: SandboxWebhooks;
  /** Bound, so that it can be handed over. */
  readonly fetch: SandboxFetch = (input, init) => this.#fetch(input, init);

  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #deliveries: Deliveries;
  readonly #faults = new Faults();
  readonly #journal = new Journal();
  readonly #requestIds: Random;
  readonly #router: Router;
  readonly #servers = new Set<SandboxServer>();
  readonly #closing = new AbortController();

  constructor({ seed = 1, now, clientId, clientSecret, signature = {} }: SandboxOptions) {
    // One listener for each request that waits.
    setMaxListeners(0, this.#closing.signal);
    if (!Number.isSafeInteger(seed)) throw new TypeError(`A seed is an integer, not ${inspect(seed)}.`);
    const random = (purpose: string) => new Random(seed, purpose);
    const credentials = random('credentials');
    this.#credentials = Object.freeze({
      clientId: clientId ?? `sandbox-client-${credentials.hex(8)}`,
      clientSecret: clientSecret ?? `sandbox-secret-not-real-${credentials.hex(16)}`,
    });
    this.#requestIds = random('requests');

    this.#clock = new Clock(now === undefined ? undefined : readTime(now));
    const endpoints = new Endpoints(this.#clock, random('endpoints'));
    const deliveries = new Deliveries(this.#clock, random('deliveries'), signature);
    const payments: Payments = new Payments({
      clock: this.#clock,
      random,
      onStatus: (record) => notify(record, { payments, endpoints, deliveries }),
    });
    this.#deliveries = deliveries;
    this.#router = createRouter({
      credentials: this.#credentials,
      handlers: createHandlers(payments, endpoints),
      faults: this.#faults,
    });

    this.clock = this.#clock;
    this.control = controlOf(payments);
    this.faults = this.#faults;
    this.journal = this.#journal;
    this.ledger = new Ledger(payments);
    this.webhooks = webhooksOf(endpoints, deliveries);
  }

  clientOptions(): SandboxClientOptions {
    return { baseUrl, ...this.#credentials, fetch: this.fetch };
  }

  async listen(options: ListenOptions = {}): Promise<SandboxServer> {
    this.#closing.signal.throwIfAborted();
    const { url, port, close } = await serve(
      async (request) => this.#answer(request, await bytesOf(request)),
      options,
    );
    const server: SandboxServer = {
      url,
      port,
      clientOptions: () => ({ baseUrl: url, ...this.#credentials }),
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

  async #fetch(input: Request | string | URL, init: RequestInit | undefined): Promise<Response> {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    return unlessAborted(this.#inProcess(request), request.signal);
  }

  async #inProcess(request: Request): Promise<Response> {
    const bytes = await bytesOf(request);
    // Nothing has left the caller yet. A server, in contrast, carries out whatever has reached it.
    request.signal.throwIfAborted();
    return inProcess(await this.#answer(request, bytes), request.signal, this.#closing.signal);
  }

  async #answer(request: Request, bytes: Uint8Array): Promise<Answer> {
    this.#closing.signal.throwIfAborted();
    const body = readJson(bytes);
    const entry = this.#journal.open(request, bytes, body.value, this.#clock.timestamp());
    const exchange: Exchange = { entry, body, fault: undefined };
    const response = await this.#router.fetch(request, exchange);
    response.headers.set(requestIdHeader, this.#requestIds.uuid());
    const answer =
      exchange.fault === undefined
        ? ({ kind: 'response', response } as const)
        : spoil(exchange.fault, response);
    const delay = exchange.fault?.delay ?? 0;
    if (delay > 0) await pause(delay, request.signal, this.#closing.signal);
    if ('response' in answer) entry.status = answer.response.status;
    return answer;
  }
}

const bytesOf = async (request: Request) => new Uint8Array(await request.arrayBuffer());

function readTime(now: Date | string | number): number {
  const time = new Date(now).getTime();
  if (Number.isNaN(time)) throw new TypeError(`now must be a time that Date reads, not ${inspect(now)}.`);
  return time;
}

/** A caller that gives up does not wait for the platform. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
