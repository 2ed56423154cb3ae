import type { ResponseHead } from '../send/engine.js';

/** What came beside the data of a result. */
export interface ResponseMeta {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The platform's identifier of the request, when it sends one. */
  readonly requestId: string | undefined;
  /** The key that was sent, whoever chose it. */
  readonly idempotencyKey: string | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
}

/** What the metadata is made from, when somebody asks: most results are never asked. */
interface Source {
  readonly head: ResponseHead;
  readonly requestIdHeader: string;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
}

/** A constructor that returns what it is given, so that a subclass puts its private field on that. */
function given(object: object): object {
  return object;
}
const Given = given as unknown as new (object: object) => object;

/**
 * Puts a private field on a result. Nothing sees it: not JSON, not inspect, not a comparison, not a
 * copy. A WeakMap would do the same, at several times the cost in garbage collection.
 */
class Stamped extends Given {
  #source: Source;

  constructor(result: object, source: Source) {
    super(result);
    this.#source = source;
  }

  static sourceOf(result: object): Source | undefined {
    return #source in result ? result.#source : undefined;
  }
}

export function attachMeta(result: object, source: Source): void {
  new Stamped(result, source);
}

/**
 * The metadata of a result that a call returned: status, headers, the idempotency key, the number of
 * requests. Results stay plain objects, so a copy of one has none.
 *
 * @throws TypeError for anything that is not such a result.
 */
export function responseOf(result: unknown): ResponseMeta {
  const source = typeof result === 'object' && result !== null ? Stamped.sourceOf(result) : undefined;
  if (source === undefined) {
    throw new TypeError(
      'responseOf takes the very object a call returned: a copy of it, or a Promise that was not awaited, has no metadata.',
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
