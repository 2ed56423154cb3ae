import { findSigner } from '#platform';
import { isPromise } from '../validation/record.js';
import { late, runWithTimeLimit, type TimeLimit } from '../validation/time-limit.js';
import { readSecrets } from './options.js';
import { KnownOutcomeError } from './outcome.js';
import type { DeliveryRequest, SecretSource, SignedDelivery } from './types.js';

/**
 * The secrets that the `secret` function returned are used for at most this many milliseconds. A secret that
 * the function no longer returns therefore stops working after this time.
 */
const maxAgeMs = 300_000;

/** While the `secret` function fails, its last result is used for at most this many milliseconds. */
const maxAgeWhileFailingMs = 3_600_000;

/**
 * Minimum milliseconds between two calls to the `secret` function. The limit also applies if forged
 * deliveries arrive, which match no known secret.
 */
const minIntervalMs = 1000;

/**
 * Minimum milliseconds between two calls to the `secret` function while it fails and its last result is used.
 * Each call can delay a delivery.
 */
const retryIntervalMs = 30_000;

/** The secrets of an endpoint: a list, or a function that loads them. */
export class Secrets {
  readonly #source: SecretSource | undefined;
  #known: readonly string[] | undefined;
  #calledAt = Number.NEGATIVE_INFINITY;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<readonly string[]> | undefined;
  /**
   * Whether the `secret` function uses its parameter, the request. Its `length` does not count a default or
   * rest parameter, so each access to the request is also noticed.
   */
  #readsRequest: boolean;

  constructor(value: SecretSource | readonly string[]) {
    this.#readsRequest = typeof value === 'function' && value.length > 0;
    if (typeof value === 'function') this.#source = value;
    else this.#known = value;
  }

  /**
   * Finds the position of the secret that signed a delivery; -1 if none matches.
   *
   * @param onError called with an error of the `secret` function
   * @throws KnownOutcomeError if the `secret` function fails. A secret that it did not return could match.
   */
  findSigner(
    signed: SignedDelivery,
    request: () => DeliveryRequest,
    limit: TimeLimit,
    onError: (error: unknown) => void,
  ): number | Promise<number> {
    const source = this.#source;
    if (source === undefined) return findSigner(signed, this.#known ?? []);
    const findForRequest = () => this.#findSignerForRequest(() => source(request()), signed, limit, onError);
    if (this.#readsRequest) return findForRequest();
    const watched = () => source(this.#watched(request));
    return this.#findSignerOfSource(watched, signed, limit, onError, findForRequest);
  }

  /**
   * Calls the `secret` function with the delivery's request. The result is not cached, because only the
   * function knows which requests share secrets.
   */
  async #findSignerForRequest(
    source: () => ReturnType<SecretSource>,
    signed: SignedDelivery,
    limit: TimeLimit,
    onError: (error: unknown) => void,
  ): Promise<number> {
    let secrets: readonly string[];
    try {
      const result = runWithTimeLimit('The function `secret`', source);
      const value = isPromise(result) ? await limit.race(result) : result;
      if (value === late) throw new Error('The function `secret` did not respond in time.');
      if (value === undefined) return -1;
      secrets = readSecrets(value, 'createReceiver: the return value of `secret`');
    } catch (error) {
      onError(error);
      throw new KnownOutcomeError('unavailable');
    }
    return findSigner(signed, secrets);
  }

  /**
   * Wraps the request, to notice whether the `secret` function reads it. If so, the result applies to this
   * delivery only.
   */
  #watched(request: () => DeliveryRequest): DeliveryRequest {
    const read = () => {
      this.#readsRequest = true;
      return request();
    };
    return {
      get headers() {
        return read().headers;
      },
      get url() {
        return read().url;
      },
    };
  }

  async #findSignerOfSource(
    source: () => ReturnType<SecretSource>,
    signed: SignedDelivery,
    limit: TimeLimit,
    onError: (error: unknown) => void,
    findForRequest: () => Promise<number>,
  ): Promise<number> {
    const age = performance.now() - this.#loadedAt;
    const known = age < maxAgeWhileFailingMs ? this.#known : undefined;
    const reload = async (interval: number) => {
      if (this.#pending === undefined && performance.now() - this.#calledAt < interval) return undefined;
      try {
        const secrets = await limit.race(this.#load(source));
        if (secrets !== late) return secrets;
        throw new Error('The function `secret` did not respond in time.');
      } catch (error) {
        onError(error);
        return undefined;
      }
    };
    const isFresh = known !== undefined && age < maxAgeMs;
    const current = isFresh ? known : ((await reload(known ? retryIntervalMs : minIntervalMs)) ?? known);
    if (this.#readsRequest) return findForRequest();
    if (current === undefined) throw new KnownOutcomeError('unavailable');
    const position = await findSigner(signed, current);
    if (position >= 0) return position;
    const renewed = await reload(minIntervalMs);
    if (renewed !== undefined) return findSigner(signed, renewed);
    if (this.#calledAt > this.#loadedAt) throw new KnownOutcomeError('unavailable');
    return -1;
  }

  /** Calls the `secret` function once for all waiting deliveries. */
  #load(source: () => ReturnType<SecretSource>): Promise<readonly string[]> {
    this.#pending ??= this.#call(source).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #call(source: () => ReturnType<SecretSource>): Promise<readonly string[]> {
    this.#calledAt = performance.now();
    const value = await runWithTimeLimit('The function `secret`', source);
    if (this.#readsRequest) return [];
    this.#known = readSecrets(value, 'createReceiver: the return value of `secret`');
    this.#loadedAt = performance.now();
    return this.#known;
  }
}
