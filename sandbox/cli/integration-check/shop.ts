import { testCards, testCardTokens } from '../../index.js';
import { shownUrl } from '../http-url.js';
import { oneLine } from '../printable.js';
import { readAtMost } from '../read-file.js';
import { withinTime } from '../time-limit.js';
import { fillIn, type RequestTemplate, uses } from './request-template.js';
import { type Condition, findValue } from './state.js';

/** The payment methods that the check orders with. */
export const methods = ['pix', 'card', 'boleto'] as const;
export type Method = (typeof methods)[number];

/** The sandbox's test card to order with. */
export type TestCard = 'approved' | 'refused';

/** How to order, and how to see an order's state. */
export interface ShopDescription {
  /** The shop's address, without a path. */
  readonly url: string;
  /** The request that orders, by payment method. */
  readonly orders: Readonly<Partial<Record<Method, RequestTemplate>>>;
  /** The request that reads an order. */
  readonly state: RequestTemplate;
  /** The path of the order's id in the response to an order. */
  readonly id: string;
  /** The path of the webhook route. */
  readonly webhook: string;
  readonly paid: Condition;
  /** Undefined if a refunded order is one that is no longer paid. */
  readonly refunded: Condition | undefined;
  /** Header names and values for orders and states, such as a session of a test customer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for each response. */
  readonly timeout: number;
}

/** A response of the shop. `status` is 0 if none arrived. */
export interface ShopResponse {
  readonly status: number;
  /** The JSON of the body, or undefined. */
  readonly json: unknown;
  /** The body's type and length, or the reason why no response arrived. The body can be about a customer. */
  readonly summary: string;
}

export const isSuccess = ({ status }: ShopResponse): boolean => status >= 200 && status < 300;

const longestRead = 1_000_000;

/** The merchant's shop, as a customer's browser and the platform reach it. */
export class Shop {
  constructor(readonly description: ShopDescription) {}

  /** Checks whether an order can be repeated, as by a customer who presses the button again. */
  repeats(method: Method): boolean {
    const template = this.description.orders[method];
    return template !== undefined && uses(template, 'order');
  }

  async order(method: Method, order: string, card: TestCard): Promise<ShopResponse> {
    const values = { order, cardToken: testCardTokens[card], cardNumber: testCards[card] };
    return this.#send(fillIn(this.description.orders[method] as RequestTemplate, values));
  }

  /** Returns the id of an order: the one in the shop's response, or else the one that the check sent. */
  idOf(response: ShopResponse, order: string): string {
    // The id in an error is not the order's.
    const json = isSuccess(response) ? response.json : undefined;
    return String(findValue(json, this.description.id) ?? order);
  }

  async state(id: string, order: string): Promise<ShopResponse> {
    const template = fillIn(this.description.state, { id, order });
    const response = await this.#send(template);
    // A server can close an idle connection just then.
    return response.status === 0 && template.method === 'GET' ? this.#send(template) : response;
  }

  async deliver(body: string, headers: Readonly<Record<string, string>>): Promise<ShopResponse> {
    return this.#fetch(this.description.webhook, { method: 'POST', headers, body });
  }

  #send({ method, path, body }: RequestTemplate): Promise<ShopResponse> {
    const { headers } = this.description;
    if (body === undefined) return this.#fetch(path, { method, headers }, maxRedirects);
    const sent = { 'content-type': 'application/json', ...headers };
    return this.#fetch(path, { method, headers: sent, body: JSON.stringify(body) }, maxRedirects);
  }

  /** Follows redirects within the shop, as a browser does. */
  async #fetch(path: string, init: RequestInit, redirects = 0): Promise<ShopResponse> {
    const url = this.description.url + path;
    try {
      return await withinTime(this.description.timeout, shownUrl(url), async (signal) => {
        const response = await fetch(url, { ...init, redirect: 'manual', signal });
        const next = redirectOf(response, url);
        if (next !== undefined && redirects > 0) {
          const { body: _, ...read } = init;
          const isKept = response.status > 303 || init.method === 'GET';
          return this.#fetch(next, isKept ? init : { ...read, method: 'GET' }, redirects - 1);
        }
        const { bytes } = await readAtMost(response.body ?? new Blob([]).stream(), longestRead);
        const [type] = response.headers.get('content-type')?.split(';') ?? [];
        const summary = oneLine(`${type ?? 'without a type'}, ${bytes.length} bytes`);
        return { status: response.status, json: parsed(bytes.toString()), summary };
      });
    } catch (error) {
      const { cause, message } = error as Error;
      return { status: 0, json: undefined, summary: oneLine(String((cause as Error)?.message ?? message)) };
    }
  }
}

const maxRedirects = 3;

/** Returns the path that a response redirects to, if it is in the same shop. */
function redirectOf({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  const { origin, pathname, search } = new URL(location, url);
  return origin === new URL(url).origin ? pathname + search : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
