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

const metas = new WeakMap<object, () => ResponseMeta>();

/** `meta` is made when somebody asks: most results are never asked. */
export function attachMeta(result: object, meta: () => ResponseMeta): void {
  metas.set(result, meta);
}

/**
 * The metadata of a result that a call returned: status, headers, the idempotency key, the number of
 * requests. Results stay plain objects, so a copy of one has none.
 *
 * @throws TypeError for anything that is not such a result.
 */
export function responseOf(result: unknown): ResponseMeta {
  const meta = typeof result === 'object' && result !== null ? metas.get(result) : undefined;
  if (meta === undefined) {
    throw new TypeError('responseOf takes the very object a call returned: a copy of it has no metadata.');
  }
  return meta();
}
