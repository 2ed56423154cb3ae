import { BodyCollector } from './body-collector.js';
import { EngineFailure, type ResponseHead } from './engine.js';
import { tooLarge } from './engine-failures.js';

/** The head of an answer of `fetch`. */
export class FetchHead implements ResponseHead {
  readonly status: number;
  readonly #headers: Headers;

  constructor(response: Response) {
    this.status = statusOf(response);
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
 * A runtime that hides redirects answers 0 for them, and one that follows them in spite of `manual` says
 * so. What is no status is 0, which is no success.
 */
function statusOf({ type, redirected, status }: Response): number {
  if (type === 'opaqueredirect' || redirected) return 302;
  return Number.isInteger(status) ? status : 0;
}

/** A body, whichever kind of stream it is: of the web, or of Node where `fetch` is a library's. */
interface OpenBody {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): void;
}

function open(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): OpenBody {
  if ('getReader' in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(() => undefined) };
  }
  const iterator = body[Symbol.asyncIterator]();
  const end = async () => iterator.return?.();
  return { next: () => iterator.next(), cancel: () => void end().catch(() => undefined) };
}

const chunksAtOnce = 512;

/**
 * Reads a body up to the limit, with its own hold on the stream, which `onOpen` is given: not every
 * `fetch` honours the signal.
 */
export async function readBody(
  response: Response,
  onOpen: (cancel: () => void) => void,
): Promise<Uint8Array> {
  const status = statusOf(response);
  if (response.body === null || response.body === undefined) return new Uint8Array();
  const body = open(response.body as ReadableStream<Uint8Array>);
  onOpen(body.cancel);
  const collected = new BodyCollector();
  for (let chunks = 1; ; chunks++) {
    // A stream that always has a chunk at hand, an empty one even, would let no timer fire.
    if (chunks % chunksAtOnce === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const { done, value } = await body.next().catch((cause: unknown) => {
      throw new EngineFailure('unreadable', 'the answer broke off, or cannot be decompressed', true, {
        status,
        cause,
      });
    });
    if (done) return collected.bytes();
    if (!ArrayBuffer.isView(value))
      throw new EngineFailure('unreadable', 'the answer is a stream of something else than bytes', true, {
        status,
      });
    if (!collected.add(value)) {
      body.cancel();
      throw tooLarge(status);
    }
  }
}
