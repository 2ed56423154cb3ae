import { findSigner } from '#platform';
import { isPromise } from '../validation/record.js';
import { answerInTime, late, type TimeLimit } from '../validation/time-limit.js';
import { readSecrets } from './options.js';
import { Refusal } from './outcome.js';
import type { DeliveryRequest, SecretSource, SignedDelivery } from './types.js';

/** How long an answer of the function is used before the function is called again, in milliseconds: a removed secret ends then. */
const maxAgeMs = 300_000;

/** How long the last response is used while the function fails, in milliseconds. */
const maxAgeWhileFailingMs = 3_600_000;

/** The minimum time between two calls of the function, in milliseconds, also for forged deliveries. */
const minIntervalMs = 1000;

/** The same while it fails and its last response is used: each call can make a delivery wait. */
const retryIntervalMs = 30_000;

/** The secrets of an endpoint: a list, or a function that loads them. */
export class Secrets {
  readonly #source: SecretSource | undefined;
  #known: readonly string[] | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<readonly string[]> | undefined;

  constructor(value: SecretSource | readonly string[]) {
    if (typeof value === 'function') this.#source = value;
    else this.#known = value;
  }

  /**
   * The position of the secret that signed a delivery; -1 if none of them did.
   *
   * @param tellError gets an error of the function.
   * @throws Refusal if the function fails, and may know a secret that would match.
   */
  findSigner(
    signed: SignedDelivery,
    request: () => DeliveryRequest,
    limit: TimeLimit,
    tellError: (error: unknown) => void,
  ): number | Promise<number> {
    const source = this.#source;
    if (source === undefined) return findSigner(signed, this.#known ?? []);
    return source.length === 0
      ? this.#findSignerOfSource(source as () => ReturnType<SecretSource>, signed, limit, tellError)
      : this.#findSignerOfTenant(() => source(request()), signed, limit, tellError);
  }

  /** Calls a function of the request for each delivery: only the function knows which ones have the same secrets. */
  async #findSignerOfTenant(
    source: () => ReturnType<SecretSource>,
    signed: SignedDelivery,
    limit: TimeLimit,
    tellError: (error: unknown) => void,
  ): Promise<number> {
    let secrets: readonly string[];
    try {
      const answer = answerInTime('The function `secret`', source);
      const value = isPromise(answer) ? await limit.race(answer) : answer;
      if (value === late) throw new Error('The function `secret` did not respond in time.');
      if (value === undefined) return -1;
      secrets = readSecrets(value, 'createReceiver: the return value of `secret`');
    } catch (error) {
      tellError(error);
      throw new Refusal('unavailable');
    }
    return findSigner(signed, secrets);
  }

  async #findSignerOfSource(
    source: () => ReturnType<SecretSource>,
    signed: SignedDelivery,
    limit: TimeLimit,
    tellError: (error: unknown) => void,
  ): Promise<number> {
    const age = performance.now() - this.#answeredAt;
    const known = age < maxAgeWhileFailingMs ? this.#known : undefined;
    const ask = async (interval: number) => {
      if (this.#pending === undefined && performance.now() - this.#askedAt < interval) return undefined;
      try {
        const secrets = await limit.race(this.#load(source));
        if (secrets !== late) return secrets;
        throw new Error('The function `secret` did not respond in time.');
      } catch (error) {
        tellError(error);
        return undefined;
      }
    };
    const isFresh = known !== undefined && age < maxAgeMs;
    const current = isFresh ? known : ((await ask(known ? retryIntervalMs : minIntervalMs)) ?? known);
    if (current === undefined) throw new Refusal('unavailable');
    const position = await findSigner(signed, current);
    if (position >= 0) return position;
    const renewed = await ask(minIntervalMs);
    if (renewed !== undefined) return findSigner(signed, renewed);
    if (this.#askedAt > this.#answeredAt) throw new Refusal('unavailable');
    return -1;
  }

  /** Calls the function once for all deliveries that wait for it. */
  #load(source: () => ReturnType<SecretSource>): Promise<readonly string[]> {
    this.#pending ??= this.#call(source).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #call(source: () => ReturnType<SecretSource>): Promise<readonly string[]> {
    this.#askedAt = performance.now();
    const value = await answerInTime('The function `secret`', source);
    this.#known = readSecrets(value, 'createReceiver: the return value of `secret`');
    this.#answeredAt = performance.now();
    return this.#known;
  }
}
