import { exitCodes, Failure } from './failure.js';

/** The default of the sandbox's port, and of where the commands look for it. */
export const defaultPort = 4010;

/** Bytes. A list of 1,000 items is shorter. */
const longestAnswer = 50_000_000;

/** Milliseconds. The clock may run many things on its way. */
const patience = 120_000;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls the control API of a running sandbox. */
export class ControlClient {
  readonly #url: string;

  /** @param url of the sandbox; without it, that of the environment, else the default port on this machine. */
  constructor(url: string | undefined) {
    const given = url || process.env.PAYMENT_PLATFORM_BASE_URL || `http://127.0.0.1:${defaultPort}`;
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
      throw new Failure(
        `${given} is not the URL of a sandbox, such as http://127.0.0.1:4010.`,
        exitCodes.usage,
      );
    }
    this.#url = new URL(given).origin;
  }

  /** The address of the sandbox, without a slash at its end. */
  get url(): string {
    return this.#url;
  }

  /** @returns the JSON of the answer; undefined if it has none. */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await this.open(method, path, body, AbortSignal.timeout(patience));
    const value = parsed(await this.#textOf(response));
    if (response.ok && (response.status === 204 || isRecord(value))) return value;
    throw this.#refusal(response.status, value);
  }

  /** The sandbox's clock, which may be frozen or ahead: its deliveries are signed with it. */
  async time(): Promise<() => Date> {
    const { now } = (await this.call('GET', '/clock')) as { now: string };
    return () => new Date(now);
  }

  /** The answer itself. */
  async open(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const init: RequestInit = {
      method,
      redirect: 'error',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      ...(signal !== undefined && { signal }),
    };
    try {
      return await fetch(`${this.#url}/_sandbox${path}`, init);
    } catch {
      throw new Failure(
        `No sandbox answers at ${this.#url}. Start one with \`payment-platform sandbox\`, or name it with --url or PAYMENT_PLATFORM_BASE_URL.`,
        exitCodes.unreachable,
      );
    }
  }

  async #textOf({ body }: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body ?? []) {
        length += chunk.length;
        if (length > longestAnswer) break;
        chunks.push(chunk);
      }
    } catch {
      throw new Failure(`${this.#url} broke off its answer.`, exitCodes.unreachable);
    }
    if (length <= longestAnswer) return Buffer.concat(chunks).toString();
    throw new Failure(`${this.#url} is not a sandbox: its answer does not end.`, exitCodes.unreachable);
  }

  #refusal(status: number, value: unknown): Failure {
    const error = isRecord(value) && isRecord(value.error) ? value.error : undefined;
    if (error === undefined || typeof error.message !== 'string') {
      return new Failure(`${this.#url} is not a sandbox: it answered ${status}.`, exitCodes.unreachable);
    }
    const code = error.code === 'illegal_transition' ? exitCodes.illegal : exitCodeOf(status);
    return new Failure(error.message, code);
  }
}

const exitCodeOf = (status: number) => {
  if (status === 404) return exitCodes.notFound;
  return status === 400 ? exitCodes.usage : exitCodes.refused;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
