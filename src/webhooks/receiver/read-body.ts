import { WebhookVerificationError } from '../../errors/webhook.js';
import { isRecord } from '../../input/record.js';
import { readHeader } from '../delivery.js';
import { rawBody } from '../raw-body.js';
import { receiverHelp } from '../raw-body-help.js';
import type { RawBody } from '../signature.js';
import { late, type TimeLimit } from './time-limit.js';
import type { IncomingDelivery } from './types.js';

/** The body is longer than the option `maxBody`. */
const tooLarge = (maxBytes: number) =>
  new WebhookVerificationError('body-too-large', `The body is longer than ${maxBytes} bytes (maxBody).`);

const parsed = () => new WebhookVerificationError('body-already-parsed', receiverHelp());

/** The body did not arrive. */
const incomplete = (why: string, cause?: unknown) =>
  new WebhookVerificationError('body-incomplete', `The body did not arrive: ${why}.`, cause);

/**
 * Reads a body in whatever form it is given.
 *
 * @throws WebhookVerificationError
 */
export function readBody(
  { body, headers }: IncomingDelivery,
  maxBytes: number,
  limit: TimeLimit,
): RawBody | Promise<RawBody> {
  const raw = rawBody(body);
  // A copy: the caller could change it while it is being checked.
  if (raw !== undefined) return limited(typeof raw === 'string' ? raw : new Uint8Array(raw), maxBytes);
  if (Number(readHeader(headers, 'content-length')) > maxBytes) throw tooLarge(maxBytes);
  const parts = partsOf(body);
  if (parts === undefined) throw parsed();
  return collect(parts, maxBytes, limit);
}

function limited(body: RawBody, maxBytes: number): RawBody {
  // A code unit of the text takes at most three bytes.
  const isLong =
    typeof body === 'string'
      ? body.length > maxBytes ||
        (body.length * 3 > maxBytes && new TextEncoder().encode(body).length > maxBytes)
      : body.length > maxBytes;
  if (isLong) throw tooLarge(maxBytes);
  return body;
}

/** A body on its way. */
interface Parts {
  next(): Promise<IteratorResult<unknown>>;
  stop(): unknown;
  /** Whether `stop` may end the connection, on which the answer is still to be sent. */
  readonly isConnection: boolean;
}

/** The parts of a stream, of the web or of Node. */
function partsOf(body: unknown): Parts | undefined {
  if (!isRecord(body)) return undefined;
  if (typeof body.getReader === 'function') {
    const reader: ReadableStreamDefaultReader<unknown> = body.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      stop: () => reader.cancel(),
      isConnection: true,
    };
  }
  const iterate = (body as unknown as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  if (typeof iterate !== 'function') return undefined;
  const iterator = iterate.call(body);
  return {
    next: () => iterator.next(),
    stop: () => iterator.return?.(),
    isConnection: typeof body.destroy === 'function',
  };
}

async function collect(parts: Parts, maxBytes: number, limit: TimeLimit): Promise<RawBody> {
  try {
    const bytes = await limit.race(readAll(parts, maxBytes));
    if (bytes === late) throw incomplete('it took longer than handlerTimeout');
    return bytes;
  } catch (error) {
    giveUp(parts);
    throw error instanceof WebhookVerificationError ? error : incomplete('its stream failed', error);
  }
}

async function readAll(parts: Parts, maxBytes: number): Promise<Uint8Array> {
  const chunks = new Chunks(maxBytes);
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) chunks.add(part.value);
  return chunks.bytes();
}

/** How long a connection is left for the answer, in milliseconds. */
const timeForTheAnswer = 1000;

/** Not awaited: the sender may be the one who stalls. */
function giveUp({ stop, isConnection }: Parts): void {
  const end = async () => stop();
  if (isConnection) {
    const timer: { unref?(): void } = setTimeout(() => end().catch(() => {}), timeForTheAnswer) as never;
    timer.unref?.();
  } else end().catch(() => {});
}

/** The chunks of a body, up to a number of bytes. Small chunks share a buffer, so that they take no more memory than large ones. */
class Chunks {
  readonly #maxBytes: number;
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws WebhookVerificationError when there are more bytes than allowed. */
  add(chunk: unknown): void {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : rawBody(chunk);
    if (!(bytes instanceof Uint8Array)) throw new TypeError('The stream gives something else than bytes.');
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    // The usual case, a body of one chunk, is not copied.
    if (this.#length === 0) this.#buffer = bytes;
    else {
      if (length > this.#buffer.length) {
        const larger = new Uint8Array(Math.min(2 * length, this.#maxBytes));
        larger.set(this.#buffer.subarray(0, this.#length));
        this.#buffer = larger;
      }
      this.#buffer.set(bytes, this.#length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }
}
