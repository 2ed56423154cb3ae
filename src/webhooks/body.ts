import { bodyAlreadyReadHelp } from '#platform';
import { WebhookVerificationError } from '../errors/webhook.js';
import type { RawBody } from '../platform/signed-delivery.js';
import { awaitItFirst, isPromise, isRecord } from '../validation/record.js';
import { late, type TimeLimit, unref } from '../validation/time-limit.js';
import { KnownOutcomeError } from './outcome.js';
import type { IncomingDelivery } from './types.js';
import { rawBody, readHeader } from './verify.js';

/** The memory limit for all arriving bodies, as a multiple of the maximum size of one body. */
const largestBodies = 64;

interface ArrivingBody {
  length: number;
  dropped: Error | undefined;
  readonly stop: () => void;
}

/**
 * Only a complete body can be verified, so anybody with the URL could fill the memory with partial bodies
 * over many connections. If the memory is full, the oldest body is dropped: a genuine body arrives within
 * moments, and a stalled one is the oldest.
 */
export class BodyBudget {
  /** The arriving bodies in the order of their first bytes. */
  readonly #bodies = new Set<ArrivingBody>();
  #left: number;
  #nextReport = Number.NEGATIVE_INFINITY;

  constructor(maxBody: number) {
    this.#left = largestBodies * maxBody;
  }

  /** A body that is itself the oldest is rejected, and the platform retries. */
  take(body: ArrivingBody, bytes: number): void {
    for (const oldest of this.#bodies) {
      if (bytes <= this.#left) break;
      const error = new KnownOutcomeError('unavailable', this.#report());
      if (oldest === body) throw error;
      this.giveBack(oldest);
      oldest.dropped = error;
      oldest.stop();
    }
    this.#bodies.add(body);
    body.length += bytes;
    this.#left -= bytes;
  }

  giveBack(body: ArrivingBody): void {
    if (this.#bodies.delete(body)) this.#left += body.length;
  }

  /** Returns the error for `onError`, at most once a minute, so that an attack does not fill the log. */
  #report(): Error | undefined {
    if (performance.now() < this.#nextReport) return undefined;
    this.#nextReport = performance.now() + 60_000;
    return new Error(
      `The bodies in transit exceed ${largestBodies} times maxBody. The oldest get a 503, so that new ones can arrive.`,
    );
  }
}

const tooLarge = (maxBytes: number) =>
  new WebhookVerificationError('body-too-large', `The body is longer than ${maxBytes} bytes (maxBody).`);

const incomplete = (why: string) =>
  new WebhookVerificationError('body-incomplete', `The body did not arrive, because ${why}.`);

/** The error's message is not used, because it can contain anything. */
function findCode(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' && /^E[A-Z_]{2,40}$/.test(code) ? ` (${code})` : '';
}

type Stream = AsyncIterable<unknown> | ReadableStream<unknown>;

const isStream = (body: unknown): body is Stream =>
  isRecord(body) && (typeof body.getReader === 'function' || Symbol.asyncIterator in body);

export function wholeBody({ body, headers }: IncomingDelivery, maxBytes: number): RawBody | undefined {
  if (isStream(body)) {
    if (Number(readHeader(headers, 'content-length')) > maxBytes) throw tooLarge(maxBytes);
    return undefined;
  }
  const raw = rawBody(body);
  if (raw === undefined) {
    if (isPromise(body)) throw new TypeError(`The body ${awaitItFirst}.`);
    throw new WebhookVerificationError('body-already-parsed', bodyAlreadyReadHelp());
  }
  if (measure(raw, maxBytes) > maxBytes) throw tooLarge(maxBytes);
  return raw;
}

/** Each UTF-16 unit takes one to three bytes, so most strings do not have to be encoded. */
const measure = (body: RawBody, maxBytes: number): number =>
  typeof body !== 'string' || body.length > maxBytes || body.length * 3 <= maxBytes
    ? body.length
    : new TextEncoder().encode(body).length;

function readParts(body: Stream) {
  if ('getReader' in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel(), isConnection: true };
  }
  const iterator = body[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    stop: () => iterator.return?.(),
    // Whether `stop` can close the connection, before the response is sent.
    isConnection: 'destroy' in body,
  };
}

/** The chunks are copied into one buffer, so that small chunks take no more memory than large ones. */
export async function readStream(
  body: IncomingDelivery['body'],
  maxBytes: number,
  limit: TimeLimit,
  budget: BodyBudget,
): Promise<RawBody> {
  const { next, stop, isConnection } = readParts(body as Stream);
  let buffer = new Uint8Array();
  let isOver = false;
  const arriving: ArrivingBody = {
    length: 0,
    dropped: undefined,
    stop: () => {
      isOver = true;
      limit.stopWaiting();
    },
  };
  const add = (bytes: Uint8Array) => {
    const start = arriving.length;
    if (start + bytes.length > maxBytes) throw tooLarge(maxBytes);
    // Chunks that arrive after the end are dropped.
    if (isOver) return;
    budget.take(arriving, bytes.length);
    const { length } = arriving;
    if (length > buffer.length) {
      // The first buffer has the size of the first chunk, because a typical body has only one.
      const larger = new Uint8Array(start === 0 ? length : Math.min(2 * length, maxBytes));
      larger.set(buffer.subarray(0, start));
      buffer = larger;
    }
    buffer.set(bytes, start);
  };
  const readAll = async () => {
    for (let part = await next(); part.done !== true; part = await next()) add(toBytes(part.value));
    return buffer.subarray(0, arriving.length);
  };
  try {
    const bytes = await limit.race(readAll());
    if (arriving.dropped !== undefined) throw arriving.dropped;
    if (bytes === late) throw incomplete('it took longer than handlerTimeout');
    return bytes;
  } catch (error) {
    // `stop` is not awaited, because the sender may have stalled.
    const end = () => void (async () => stop())().catch(() => {});
    if (isConnection) unref(setTimeout(end, responseTimeMs));
    else end();
    const isKnown = error instanceof WebhookVerificationError || error instanceof KnownOutcomeError;
    throw isKnown ? error : incomplete(`its stream failed${findCode(error)}`);
  } finally {
    isOver = true;
    budget.giveBack(arriving);
  }
}

/** Milliseconds that a connection stays open for the response after its body was rejected. */
const responseTimeMs = 1000;

function toBytes(chunk: unknown): Uint8Array {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : rawBody(chunk, true);
  if (bytes instanceof Uint8Array) return bytes;
  throw new TypeError('The stream contains something other than bytes.');
}
