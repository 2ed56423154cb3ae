import { WebhookVerificationError } from '../errors/webhook.js';
import { awaitItFirst, isPromise } from '../input/outside.js';
import { isRecord } from '../input/record.js';
import type { ReceiveOutcome } from './outcome.js';
import { rawBody } from './raw-body.js';
import { receiverHelp } from './raw-body-help.js';
import { late, type TimeLimit, unref } from './time-limit.js';
import type { IncomingDelivery, RawBody } from './types.js';
import { readHeader } from './verify.js';

/** Stops the work on a delivery: the answer is known. Its cause, if it has one, is still to be reported. */
export class Refusal extends Error {
  constructor(
    readonly outcome: ReceiveOutcome,
    cause?: Error,
  ) {
    super(outcome, { cause });
  }
}

/** Bodies of the largest size that may be on their way at the same time. */
const largestBodies = 64;

/**
 * The memory that bodies on their way may take together. Whoever knows the URL can send some of a body over many
 * connections, and only the whole of it can be checked.
 */
export class BodyBudget {
  #left: number;
  #nextReport = Number.NEGATIVE_INFINITY;

  constructor(maxBody: number) {
    this.#left = largestBodies * maxBody;
  }

  /** @throws Refusal when there is no more: the platform sends again. */
  take(bytes: number): void {
    if (bytes > this.#left) throw new Refusal('unavailable', this.#report());
    this.#left -= bytes;
  }

  /** What the merchant is told, once a minute: an attack should not fill a log as well. */
  #report(): Error | undefined {
    if (performance.now() < this.#nextReport) return undefined;
    this.#nextReport = performance.now() + 60_000;
    return new Error(
      `The bodies that are on their way take more than ${largestBodies} times maxBody: deliveries are answered 503 until some have arrived.`,
    );
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** The body is longer than the option `maxBody`. */
const tooLarge = (maxBytes: number) =>
  new WebhookVerificationError('body-too-large', `The body is longer than ${maxBytes} bytes (maxBody).`);

/** The body did not arrive. */
const incomplete = (why: string, cause?: unknown) =>
  new WebhookVerificationError('body-incomplete', `The body did not arrive: ${why}.`, cause);

/**
 * The body, if it is there already; undefined if it is still on its way.
 *
 * @throws WebhookVerificationError if it is too large, or was read by somebody else.
 */
export function bodyAtHand({ body, headers }: IncomingDelivery, maxBytes: number): RawBody | undefined {
  const raw = rawBody(body);
  // A copy: the caller could change it while it is being checked.
  if (raw !== undefined) return limited(typeof raw === 'string' ? raw : new Uint8Array(raw), maxBytes);
  if (isPromise(body)) throw new TypeError(`The body ${awaitItFirst}.`);
  if (!isStream(body)) throw new WebhookVerificationError('body-already-parsed', receiverHelp());
  if (Number(readHeader(headers, 'content-length')) > maxBytes) throw tooLarge(maxBytes);
  return undefined;
}

const isStream = (body: unknown): body is Stream =>
  isRecord(body) && (typeof body.getReader === 'function' || Symbol.asyncIterator in body);

type Stream = AsyncIterable<unknown> | ReadableStream<unknown>;

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
function partsOf(body: Stream): Parts {
  if ('getReader' in body) {
    const reader = body.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      stop: () => reader.cancel(),
      isConnection: true,
    };
  }
  const iterator = body[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    stop: () => iterator.return?.(),
    isConnection: 'destroy' in body,
  };
}

/**
 * Reads a body that is on its way.
 *
 * @throws WebhookVerificationError if it is too large or does not arrive, Refusal if too many are on their way.
 */
export async function readStream(
  body: IncomingDelivery['body'],
  maxBytes: number,
  limit: TimeLimit,
  budget: BodyBudget,
): Promise<RawBody> {
  const parts = partsOf(body as Stream);
  const chunks = new Chunks(maxBytes, budget);
  try {
    const bytes = await limit.race(readAll(parts, chunks));
    if (bytes === late) throw incomplete('it took longer than handlerTimeout');
    return bytes;
  } catch (error) {
    giveUp(parts);
    const isKnown = error instanceof WebhookVerificationError || error instanceof Refusal;
    throw isKnown ? error : incomplete('its stream failed', error);
  } finally {
    chunks.end();
  }
}

async function readAll(parts: Parts, chunks: Chunks): Promise<Uint8Array> {
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) chunks.add(part.value);
  return chunks.bytes();
}

/** How long a connection is left for the answer, in milliseconds. */
const timeForTheAnswer = 1000;

/** Not awaited: the sender may be the one who stalls. */
function giveUp({ stop, isConnection }: Parts): void {
  const end = async () => stop();
  if (isConnection) unref(setTimeout(() => end().catch(() => {}), timeForTheAnswer));
  else end().catch(() => {});
}

/** The chunks of a body, up to a number of bytes. Small chunks share a buffer, so that they take no more memory than large ones. */
class Chunks {
  readonly #maxBytes: number;
  readonly #budget: BodyBudget;
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;
  #isOver = false;

  constructor(maxBytes: number, budget: BodyBudget) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
  }

  /** @throws WebhookVerificationError when there are more bytes than allowed, Refusal when all bodies take too many. */
  add(chunk: unknown): void {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : rawBody(chunk);
    if (!(bytes instanceof Uint8Array)) throw new TypeError('The stream gives something else than bytes.');
    const start = this.#length;
    const length = start + bytes.length;
    if (length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    if (this.#isOver) return;
    this.#budget.take(bytes.length);
    // At once, so that it is given back whatever the copy throws.
    this.#length = length;
    if (length > this.#buffer.length) {
      // The usual case is a body of one chunk.
      const larger = new Uint8Array(start === 0 ? length : Math.min(2 * length, this.#maxBytes));
      larger.set(this.#buffer.subarray(0, start));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, start);
  }

  /** Nobody waits for the rest: what comes late is not kept. */
  end(): void {
    this.#isOver = true;
    this.#budget.giveBack(this.#length);
  }

  bytes(): Uint8Array {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }
}
