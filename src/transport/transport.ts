import type { Authorizer } from '../auth/credentials.js';
import type { OperationId } from '../contract/index.js';
import type { CallOptions } from './call-options.js';
import { Deadline } from './deadline.js';
import type { Engine, EngineName } from './engine.js';
import { draft, type Input, prepare, type Trip } from './prepare.js';
import { Road } from './road.js';
import type { Settings } from './settings.js';

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
  readonly #authorizer: Authorizer;
  #loaded: Engine | undefined;
  #loading: Promise<Engine> | undefined;
  #closed = false;

  constructor(settings: Settings, authorizer: Authorizer) {
    this.#settings = settings;
    this.#authorizer = authorizer;
    this.engine = settings.fetch === undefined && isNode() ? 'node' : 'ky';
  }

  /** Milliseconds for a call that does not say otherwise. */
  get timeout(): number {
    return this.#settings.timeout;
  }

  /** One call of an operation of the contract. */
  async call<Result extends object>(id: OperationId, input: Input, options?: CallOptions): Promise<Result> {
    const drafted = draft(input, options);
    const { operationById } = contract ?? (await loadContract());
    return (await this.#send(operationById(id), drafted)) as Result;
  }

  /** One call that the caller describes. Where it is an operation of the contract, it means the same. */
  async request<Result extends object>(given: Trip, input: Input, options?: CallOptions): Promise<Result> {
    const drafted = draft(input, options);
    const { operations } = contract ?? (await loadContract());
    const known = operations.find(({ method, path }) => method === given.method && path === given.path);
    const meaning = known === undefined ? {} : { replay: known.replay, conflict: known.conflict };
    return (await this.#send({ ...given, ...meaning }, drafted)) as Result;
  }

  /** Lets go of idle connections. Calls under way end as they would. */
  close(): void {
    this.#closed = true;
    this.#loaded?.close();
  }

  async #send(trip: Trip, drafted: ReturnType<typeof draft>): Promise<object> {
    const prepared = prepare(trip, drafted, this.#settings);
    const deadline = new Deadline(prepared.timeout, prepared.signal);
    try {
      const engine = this.#loaded ?? (await this.#load());
      return await new Road(prepared, deadline, engine, this.#settings, this.#authorizer).travel();
    } finally {
      deadline.close();
    }
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
      const { createNodeEngine } = await import('./node-engine.js');
      return createNodeEngine(baseUrl, agent);
    }
    const { createKyEngine } = await import('./ky-engine.js');
    // Looked up at each call, so that whoever patches fetch later (a test, an instrumentation) is seen.
    return createKyEngine(baseUrl, fetch ?? ((input, init) => globalThis.fetch(input, init)));
  }
}

/** Node itself, not a runtime that resembles it: those bring a fetch of their own that is better than their node:http. */
function isNode(): boolean {
  const { process } = globalThis as { process?: NodeJS.Process };
  return process?.release?.name === 'node' && process.versions.bun === undefined && !('Deno' in globalThis);
}
