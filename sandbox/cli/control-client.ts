import type { schemas } from '../control-api/response-types.js';
import { type Expected, responseProblem } from './expected-response.js';
import { exitCodes, Failure } from './failure.js';
import { oneLine } from './printable.js';
import { readAtMost } from './read-at-most.js';
import { withinTime } from './time-limit.js';

export const defaultPort = 4010;

/** In bytes. */
const longestResponse = 50_000_000;

/** Every sandbox supports it. */
const infoRequest = 'GET /info';

export type ControlResponse = Readonly<Record<string, unknown>>;

type Name = keyof typeof schemas;

export class ControlClient {
  readonly #url: string;
  readonly #timeout: number;

  /**
   * @param url default: the environment's URL, or else the default port on this machine
   * @param timeout milliseconds per request
   */
  constructor(url: string | undefined, timeout: number) {
    this.#timeout = timeout;
    const value = url || process.env.PAYMENT_PLATFORM_BASE_URL || `http://127.0.0.1:${defaultPort}`;
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
      const hint = URL.canParse(`http://${value}`) ? ` It has no scheme: write http://${value}` : '';
      throw new Failure(
        `${value} is not the URL of a sandbox, such as http://127.0.0.1:4010.${value.includes('://') ? '' : hint}`,
        exitCodes.usage,
      );
    }
    this.#url = new URL(value).origin;
  }

  /** Without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  /**
   * Without a check of the response, a command could report an action that some other server never executed.
   *
   * @param request such as `GET /payments`
   */
  async request(request: string, expected: 'nothing', body?: object): Promise<ControlResponse>;
  async request(
    request: string,
    expected: { readonly list: Name },
    body?: object,
  ): Promise<{ data: ControlResponse[] }>;
  async request(request: string, expected: { readonly one: Name }, body?: object): Promise<ControlResponse>;
  async request(request: string, expected: Expected, body?: object): Promise<unknown> {
    const { response, text } = await withinTime(this.#timeout, this.#url, async (signal) => {
      const response = await this.#fetch(request, body, signal);
      return { response, text: await this.#readText(response) };
    });
    const value = parsed(text);
    if (!response.ok) throw await this.#createRejection(request, response.status, value);
    if (expected === 'nothing') {
      if (response.status !== 204) throw this.#stranger(`it returned ${response.status}`);
      await this.#assertSandbox(request);
      return {};
    }
    const problem = responseProblem(expected, value);
    if (problem !== undefined) throw this.#stranger(problem);
    if ('list' in expected && (value as { data: unknown[] }).data.length === 0) {
      await this.#assertSandbox(request);
    }
    return value;
  }

  async send(method: string, path: string, body?: object): Promise<string> {
    const request = `${method} ${path}`;
    return withinTime(this.#timeout, this.#url, async (signal) => {
      const response = await this.#fetch(request, body, signal);
      const text = await this.#readText(response);
      if (!response.ok) throw await this.#createRejection(request, response.status, parsed(text));
      return text;
    });
  }

  /** The sandbox's clock can be frozen or ahead. */
  async time(): Promise<() => Date> {
    const { now } = await this.request('GET /clock', { one: 'Clock' });
    return () => new Date(String(now));
  }

  /** The timeout applies only until the headers arrive. */
  async stream(request: string, ended: AbortSignal): Promise<Response> {
    return withinTime(this.#timeout, this.#url, (signal) => this.#fetch(request, undefined, signal), ended);
  }

  async #fetch(request: string, body: object | undefined, signal: AbortSignal): Promise<Response> {
    const [method = '', path = ''] = request.split(' ');
    const init: RequestInit = {
      method,
      redirect: 'error',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal,
    };
    try {
      return await fetch(`${this.#url}/_sandbox${path}`, init);
    } catch {
      throw new Failure(
        `No sandbox responds at ${this.#url}. Start one with \`payment-platform sandbox\`, or name it with --url or PAYMENT_PLATFORM_BASE_URL.`,
        exitCodes.unreachable,
      );
    }
  }

  async #readText({ body }: Response): Promise<string> {
    let read: Awaited<ReturnType<typeof readAtMost>>;
    try {
      read = await readAtMost(body ?? new Blob([]).stream(), longestResponse);
    } catch {
      throw new Failure(
        `${this.#url} closed the connection before its response was complete.`,
        exitCodes.unreachable,
      );
    }
    if (read.isWhole) return read.bytes.toString();
    throw this.#stranger('its response does not end');
  }

  async #createRejection(request: string, status: number, value: unknown): Promise<Failure> {
    if (responseProblem({ one: 'Error' }, value) !== undefined) {
      return this.#stranger(`it returned ${status}`);
    }
    const { error } = value as { error: { code: string; message: string } };
    // A sandbox rejects this request only for a host name that it does not accept.
    if (request === infoRequest) return this.#stranger(`it returned ${status}: ${oneLine(error.message)}`);
    await this.#assertSandbox(request);
    const code = error.code === 'illegal_transition' ? exitCodes.illegal : findExitCode(status);
    return new Failure(error.message, code);
  }

  /** Needed after a response that any server could send, such as an empty one. */
  async #assertSandbox(request: string): Promise<void> {
    if (request !== infoRequest) await this.request(infoRequest, { one: 'Info' });
  }

  #stranger(why: string): Failure {
    return new Failure(
      `${this.#url} is not a sandbox of this version: ${why}. Start one with \`payment-platform sandbox\`, or name it with --url or PAYMENT_PLATFORM_BASE_URL.`,
      exitCodes.unreachable,
    );
  }
}

const findExitCode = (status: number) => {
  if (status === 404) return exitCodes.notFound;
  return status === 400 ? exitCodes.usage : exitCodes.rejected;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
