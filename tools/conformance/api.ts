import { randomUUID } from 'node:crypto';

/** The platform's address, and the credentials to use. */
export interface Target {
  /** The address without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A card number that the platform approves. */
  readonly card: string;
  /** Waits the given number of seconds, so that the platform's rate limit has room again. */
  readonly wait: (seconds: number) => Promise<unknown>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or a string if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of a platform's response is unknown
  readonly body: any;
}

export interface Sending {
  readonly body?: object | FormData;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to leave the credentials' headers out. */
  readonly anonymous?: boolean;
  /** Whether a 429 is the expected response. Otherwise the request is retried when the limit is over. */
  readonly isLimited?: boolean;
}

/** Calls the platform as its API docs describe, without the SDK. */
export class Api {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  /** @param request such as `GET /v1/webhooks` */
  async send(request: string, sending: Sending = {}): Promise<ApiResponse> {
    const response = await this.#once(request, sending);
    if (response.status !== 429 || sending.isLimited === true) return response;
    await this.target.wait(Number(response.headers.get('retry-after') ?? 60));
    return this.#once(request, sending);
  }

  async #once(request: string, { body, key, headers, anonymous = false }: Sending): Promise<ApiResponse> {
    const [method = 'GET', path = '/'] = request.split(' ');
    const { baseUrl, clientId, clientSecret } = this.target;
    const isForm = body instanceof FormData;
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(!anonymous && { 'client-id': clientId, 'client-secret': clientSecret }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'x-idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const newKey = (): string => randomUUID();

/** An id that no record has. */
export const nothing = '99999999-9999-4999-8999-999999999999';

/** Builds a form. A field that is undefined is left out. */
export const form = (fields: Readonly<Record<string, string | Blob | undefined>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') data.set(name, value);
    else if (value !== undefined) data.set(name, value, `${name}.png`);
  return data;
};
