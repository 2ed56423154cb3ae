import { version } from '../../src/version.js';
import { sandboxHeader } from '../http/control-paths.js';
import { exitCodes, Failure } from './failure.js';
import { oneLine } from './printable.js';
import { readAtMost } from './read-file.js';
import { withinTime } from './time-limit.js';

export const defaultPort = 4010;

/** In bytes. */
const longestResponse = 50_000_000;

export type ControlResponse = Readonly<Record<string, unknown>>;

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
      );
    }
    this.#url = new URL(value).origin;
  }

  /** Without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  /** @param request such as `GET /clock` */
  async request(request: string, body?: object): Promise<ControlResponse> {
    const text = await this.send(request, body);
    return text === '' ? {} : JSON.parse(text);
  }

  async list(request: string): Promise<ControlResponse[]> {
    return (await this.request(request)).data as ControlResponse[];
  }

  async send(request: string, body?: object): Promise<string> {
    return withinTime(this.#timeout, this.#url, async (signal) => {
      const response = await this.#fetch(request, body, signal);
      const text = await this.#readText(response);
      this.#checkSender(response);
      if (!response.ok) throw createRejection(response.status, text);
      return text;
    });
  }

  /** The sandbox's clock can be frozen or ahead. */
  async time(): Promise<() => Date> {
    const { now } = await this.request('GET /clock');
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

  /** Any server can return JSON. Without the header, the body can be anything, so no message contains it. */
  #checkSender({ status, headers }: Response): void {
    const found = headers.get(sandboxHeader);
    if (found === null) throw this.#stranger(`it returned ${status}`);
    if (findMajor(found) !== findMajor(version)) throw this.#stranger(`its version is ${oneLine(found)}`);
  }

  #stranger(why: string): Failure {
    return new Failure(
      `${this.#url} is not a sandbox of this version: ${why}. Start one with \`payment-platform sandbox\`, or name it with --url or PAYMENT_PLATFORM_BASE_URL.`,
      exitCodes.unreachable,
    );
  }
}

const findMajor = (version: string) => version.split('.', 1)[0];

function createRejection(status: number, text: string): Failure {
  const { error } = JSON.parse(text) as {
    readonly error: { readonly code: string; readonly message: string };
  };
  const code = error.code === 'illegal_transition' ? exitCodes.illegal : findExitCode(status);
  return new Failure(error.message, code);
}

const findExitCode = (status: number) => {
  if (status === 404) return exitCodes.notFound;
  if (status === 421) return exitCodes.unreachable;
  return status === 400 ? exitCodes.usage : exitCodes.rejected;
};
