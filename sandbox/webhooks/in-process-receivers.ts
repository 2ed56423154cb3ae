import { inspect } from '#sandbox-platform';

/** A receiver of webhooks in this process, such as the `fetch` of `createReceiver`. */
export type WebhookFunction = (request: Request) => Response | Promise<Response>;

/** The addresses of receivers in this process. No server has them: `.test` is reserved. */
const origin = 'https://in-process.payment-platform.test';

/** Receivers that are functions, by the URLs of their endpoints. */
export class InProcessReceivers {
  readonly #functions = new Map<string, WebhookFunction>();

  /** Gives a function its URL. */
  add(receive: WebhookFunction): string {
    const url = `${origin}/${this.#functions.size + 1}`;
    this.#functions.set(url, receive);
    return url;
  }

  /** Sends a delivery: to the function that has the URL, or over the network. */
  send(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    const receive = this.#functions.get(url);
    return receive === undefined ? fetch(url, init) : called(receive, new Request(url, init), init.signal);
  }
}

/** Rejects with the reason of the signal, also if the function never answers. */
async function called(receive: WebhookFunction, request: Request, signal: AbortSignal): Promise<Response> {
  // The request that causes a delivery is answered independently of it: the function runs after it.
  await undefined;
  signal.throwIfAborted();
  const value = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const answer: unknown = await Promise.race([receive(request), value]);
  // Not instanceof: the Response may come from another realm, as under Jest.
  if (Number.isInteger((answer as Response | undefined)?.status)) return answer as Response;
  throw new TypeError(`the receiver must return a Response, not ${inspect(answer, { depth: 0 })}`);
}
