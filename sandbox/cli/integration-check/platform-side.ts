import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ControlClient } from '../control-client.js';
import { Failure } from '../failure.js';

/** A payment in the sandbox. */
export interface SandboxPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly paymentMethod: string;
  readonly externalReference?: string;
}

/**
 * Refuses connections at once, so the sandbox's own deliveries reach nobody. The check delivers them itself. The query
 * of its endpoint says which process checks, and which endpoints it paused, so that the next check can activate them
 * if this one is killed.
 */
const nowhere = 'http://127.0.0.1:9/check-integration';

const toNowhere = (paused: readonly string[]) =>
  `${nowhere}?${new URLSearchParams({ process: `${process.pid}`, at: `${Date.now()}`, paused: paused.join() })}`;

/** In milliseconds. No check takes longer, and another process can have the number of one that was killed. */
const longestCheck = 3_600_000;

interface Endpoint {
  readonly id: string;
  readonly endpoint: string;
  readonly status: string;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** How often a state is read again, and the usual limit, in milliseconds. */
const polling = { every: 50, longest: 5_000 };

/** Repeats a read until its value is enough, or the time is over. Returns the last value. */
export async function poll<Value>(
  read: () => Promise<Value>,
  options: { longest?: number | undefined; until?: (value: Value) => boolean } = {},
): Promise<Value> {
  const { longest = polling.longest, until = Boolean } = options;
  const end = performance.now() + longest;
  for (;;) {
    const value = await read();
    if (until(value) || performance.now() > end) return value;
    await setTimeout(polling.every);
  }
}

/** The sandbox, as the platform, the customer's bank and the issuer. */
export class PlatformSide {
  readonly #client: ControlClient;
  readonly #secret: string;
  #endpoint: string | undefined;
  #paused: readonly string[] = [];
  #merchant: unknown;
  /** Whether a payment is the first merchant's, by id. */
  readonly #owned = new Map<string, boolean>();

  constructor(client: ControlClient, secret: string) {
    this.#client = client;
    this.#secret = secret;
  }

  /** Pauses the shop's endpoints, so that the check alone delivers, and registers one that records events. */
  async open(): Promise<void> {
    await this.#endKilledCheck();
    const { merchants } = (await this.#client.request('GET /info')) as unknown as {
      merchants: readonly { clientId: string }[];
    };
    this.#merchant = merchants[0]?.clientId;
    const endpoints = (await this.#list('/endpoints')) as Endpoint[];
    this.#paused = endpoints.filter(({ status }) => status === 'active').map(({ id }) => id);
    const { id } = (await this.#post('/endpoints', { url: toNowhere(this.#paused) })) as Endpoint;
    this.#endpoint = id;
    for (const paused of this.#paused)
      await this.#post(`/endpoints/${paused}/status`, { status: 'inactive' });
  }

  /**
   * Activates the endpoints of a check that was killed.
   *
   * @throws Failure if another check is running, because each would see the other's orders
   */
  async #endKilledCheck(): Promise<void> {
    for (const { id, endpoint } of (await this.#list('/endpoints')) as Endpoint[]) {
      if (!endpoint.startsWith(`${nowhere}?`)) continue;
      const { searchParams } = new URL(endpoint);
      const isRecent = Date.now() - Number(searchParams.get('at')) < longestCheck;
      if (isRecent && isRunning(Number(searchParams.get('process'))))
        throw new Failure('Another check uses this sandbox. Wait for its end.');
      this.#paused = (searchParams.get('paused') ?? '').split(',').filter(Boolean);
      this.#endpoint = id;
      await this.close();
    }
  }

  /** Activates the shop's endpoints again. Any of them can be gone by now, after a reset of the sandbox. */
  async close(): Promise<void> {
    const activations = this.#paused.map((id) => this.#post(`/endpoints/${id}/status`, { status: 'active' }));
    const removal = this.#endpoint && this.#client.send(`DELETE /endpoints/${this.#endpoint}`);
    await Promise.allSettled([...activations, removal]);
  }

  /** Lists the newest payments of the sandbox's first merchant, which the shop must use. */
  async listPayments(): Promise<SandboxPayment[]> {
    const payments = (await this.#list('/payments?limit=200')) as SandboxPayment[];
    const owned = await Promise.all(payments.map(({ id }) => this.#isOwned(id)));
    return payments.filter((_, index) => owned[index]);
  }

  async #isOwned(id: string): Promise<boolean> {
    const known = this.#owned.get(id);
    if (known !== undefined) return known;
    const { clientId } = (await this.#client.request(`GET /payments/${id}`)) as unknown as {
      clientId: string;
    };
    this.#owned.set(id, clientId === this.#merchant);
    return clientId === this.#merchant;
  }

  /** Pays as the customer. A card is paid already, in the response. */
  async pay({ id, status }: SandboxPayment): Promise<void> {
    if (status !== 'paid') await this.act(id, 'pay');
  }

  /** Acts as the customer, the issuer or the platform: `pay`, `refund`, `expire`. */
  async act(id: string, action: 'pay' | 'refund' | 'expire'): Promise<void> {
    await this.#post(`/payments/${id}/${action}`);
  }

  /** Returns the code that a customer pays, or undefined if the payment is not a Pix. */
  async pixCodeOf(id: string): Promise<string | undefined> {
    const { pix } = (await this.#client.request(`GET /payments/${id}`)) as unknown as {
      pix?: { copyAndPaste: string };
    };
    return pix?.copyAndPaste;
  }

  /** Loses the responses of the next requests that create a payment, and returns a function that ends that. */
  async loseResponses(times: number, fault: unknown = 'reset'): Promise<() => Promise<void>> {
    const added = { operation: 'payments.create', phase: 'after-commit', fault, times };
    const { id } = (await this.#post('/faults', added)) as { id: string };
    return async () => {
      // It is gone if it has occurred as often as it should.
      await this.#client.send(`DELETE /faults/${id}`).catch(() => undefined);
    };
  }

  /** Returns the body that the sandbox sends for a payment's event, or undefined if none is sent. */
  async bodyOf(paymentId: string, event: string): Promise<string | undefined> {
    return poll(async () => {
      const sent = await this.#list(
        `/deliveries?payment=${paymentId}&event=${event}&endpoint=${this.#endpoint}`,
      );
      const [{ id } = { id: undefined }] = sent as { id?: string }[];
      if (id === undefined) return undefined;
      const { delivery } = (await this.#client.request(`GET /deliveries/${id}`)) as unknown as {
        delivery: { body: string };
      };
      return delivery.body;
    });
  }

  /** Returns the headers of a delivery, signed as the API docs show. */
  sign(body: string, { secret = this.#secret, at = Date.now() } = {}): Record<string, string> {
    const timestamp = String(Math.floor(at / 1_000));
    return {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    };
  }

  async #list(path: string): Promise<unknown[]> {
    return this.#client.list(`GET ${path}`);
  }

  async #post(path: string, body: object = {}): Promise<unknown> {
    return this.#client.request(`POST ${path}`, body);
  }
}
