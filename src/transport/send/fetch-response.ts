import { BodyCollector, HttpClientError, type ResponseHead, tooLargeFailure } from './http-client.js';

export class FetchHead implements ResponseHead {
  readonly status: number;
  readonly #headers: Headers;

  constructor(response: Response) {
    this.status = readStatus(response);
    this.#headers = response.headers;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  headers(): Record<string, string> {
    return Object.fromEntries(this.#headers);
  }
}

/**
 * Reads the status of a response. A redirect that the runtime hides (as status 0), or follows despite
 * `redirect: 'manual'`, becomes 302. A number that is not an HTTP status becomes 0, which does not count as a
 * success.
 */
function readStatus({ type, redirected, status }: Response): number {
  if (type === 'opaqueredirect' || redirected) return 302;
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : 0;
}

/** A body that is being read: a web stream, or a Node stream if `fetch` comes from a library. */
interface OpenBody {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): void;
}

function openBody(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): OpenBody {
  if ('getReader' in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(() => undefined) };
  }
  const iterator = body[Symbol.asyncIterator]();
  const end = async () => iterator.return?.();
  return { next: () => iterator.next(), cancel: () => void end().catch(() => undefined) };
}

/** For bytes in another format. Truncated bytes have other codes. */
const wrongCodings = /^(?:Z_DATA_ERROR|ERR__ERROR_FORMAT_\w+)$/;

/** A retry would fail the same way. */
function isWrongCoding(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as {
    readonly code?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  return wrongCodings.test(String(code ?? cause?.code));
}

const chunksPerTurn = 512;

/** `onOpen` receives a function that cancels the stream, because not every `fetch` honours the signal. */
export async function readBody(
  response: Response,
  head: ResponseHead,
  onOpen: (cancel: () => void) => void,
): Promise<Uint8Array> {
  if (response.body === null || response.body === undefined) return new Uint8Array();
  const body = openBody(response.body as ReadableStream<Uint8Array>);
  onOpen(body.cancel);
  const collected = new BodyCollector();
  for (let chunks = 1; ; chunks++) {
    // A stream that always has a chunk ready, even an empty one, would prevent timers from firing.
    if (chunks % chunksPerTurn === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const { done, value } = await body.next().catch((cause: unknown) => {
      const permanent = isWrongCoding(cause);
      const what = permanent
        ? 'the body does not have the content-encoding of its header, which fetch decodes on its own'
        : 'the response broke off, or cannot be decompressed';
      throw new HttpClientError('unreadable', what, true, { head, permanent, cause });
    });
    if (done) return collected.bytes();
    if (!ArrayBuffer.isView(value))
      throw new HttpClientError('unreadable', 'the response is a stream that does not contain bytes', true, {
        head,
      });
    if (!collected.add(value)) {
      body.cancel();
      throw tooLargeFailure(head);
    }
  }
}
