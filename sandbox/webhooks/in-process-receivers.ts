import { inspect } from '#sandbox-runtime';

/** A webhook receiver in this process, such as the `fetch` of `createReceiver`. */
export type WebhookFunction = (request: Request) => Response | Promise<Response>;

/** No server has it, because `.test` is reserved. */
const origin = 'https://in-process.payment-platform.test';

/** By the URLs of their endpoints. */
export class InProcessReceivers {
  readonly #functions = new Map<string, WebhookFunction>();

  add(receive: WebhookFunction): string {
    const url = `${origin}/${this.#functions.size + 1}`;
    this.#functions.set(url, receive);
    return url;
  }

  /** Over the network if no function has the URL. */
  send(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    const receive = this.#functions.get(url);
    return receive === undefined ? fetch(url, init) : called(receive, new Request(url, init), init.signal);
  }
}

/** Rejects with the signal's reason, even if the function never responds. */
async function called(receive: WebhookFunction, request: Request, signal: AbortSignal): Promise<Response> {
  // Defers the receiver's function, so that the request that causes the delivery does not wait for it.
  await undefined;
  signal.throwIfAborted();
  const value = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const response: unknown = await Promise.race([receive(request), value]);
  // The Response can come from another realm, as under Jest, so `instanceof` does not work.
  if (Number.isInteger((response as Response | undefined)?.status)) return response as Response;
  throw new TypeError(`the receiver must return a Response, not ${inspect(response, { depth: 0 })}`);
}
