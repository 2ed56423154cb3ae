import type { ResponseHead } from '../send/http-client.js';

/** Metadata about the response to a call. */
export interface ResponseMeta {
  /** The HTTP status, such as 200. */
  readonly status: number;
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The platform's identifier for the request, if the platform sends one. */
  readonly requestId: string | undefined;
  /** The idempotency key that the SDK sent: the caller's key or a generated one. */
  readonly idempotencyKey: string | undefined;
  /** The number of attempts, including those that failed before a byte was sent. */
  readonly attempts: number;
}

/** The metadata is only built when `responseOf` is called. */
interface MetaSource {
  readonly head: ResponseHead;
  readonly requestIdHeader: string;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
}

/** The constructor returns its argument, so that a subclass adds its private field to that object. */
function returnArgument(object: object): object {
  return object;
}
const ReturnArgument = returnArgument as unknown as new (object: object) => object;

/** A private field is invisible to JSON, `inspect` and copies. A WeakMap costs more in garbage collection. */
class ResultWithMeta extends ReturnArgument {
  #source: MetaSource;

  constructor(result: object, source: MetaSource) {
    super(result);
    this.#source = source;
  }

  static findSource(result: object): MetaSource | undefined {
    return #source in result ? result.#source : undefined;
  }
}

export const attachMeta = (result: object, source: MetaSource): object => new ResultWithMeta(result, source);

/**
 * Returns the metadata of a call's result: status, headers, request id, idempotency key, number of attempts.
 * The metadata belongs to the result object itself: a copy of the result has none.
 *
 * @throws TypeError for anything that was not returned by a call.
 */
export function responseOf(result: unknown): ResponseMeta {
  const source =
    typeof result === 'object' && result !== null ? ResultWithMeta.findSource(result) : undefined;
  if (source === undefined) {
    throw new TypeError(
      'responseOf takes the object that a call returned. A copy, or a Promise that was not awaited, has no metadata.',
    );
  }
  const { head, requestIdHeader, idempotencyKey, attempts } = source;
  return {
    status: head.status,
    headers: head.headers(),
    requestId: head.header(requestIdHeader),
    idempotencyKey,
    attempts,
  };
}
