import { stepOf } from './time-limit.js';
import type { SecretSource } from './types.js';
import { readSecrets } from './verify-options.js';

/** The secrets of an endpoint. */
export interface Secrets {
  /** What the source gave last, which is better than nothing if it is away now. */
  readonly known: readonly string[] | undefined;
  /** At once if they are known and not too old. */
  current(): readonly string[] | Promise<readonly string[]>;
  /** Asks the source again because none of the known ones matched; undefined if that was done a moment ago, or if there is no source. */
  renewed(): Promise<readonly string[]> | undefined;
}

/** How long what a source gave is used without asking again, in milliseconds: a secret that was taken out ends then. */
const maxAge = 300_000;

/** How long what a source gave is used while the source is away, in milliseconds. */
const maxAgeWhileAway = 3_600_000;

/** While the source is away and something is known, it is asked once in so many milliseconds: who asks may have to wait. */
const retryInterval = 30_000;

/** Forged deliveries do not make more requests to a source than this: one in so many milliseconds. */
const minInterval = 1000;

export const secretsOf = (given: SecretSource | readonly string[]): Secrets =>
  typeof given === 'function'
    ? new SourcedSecrets(given)
    : { known: given, current: () => given, renewed: () => undefined };

/** The source failed a moment ago: that was reported then. */
export class StillAway extends Error {}

class SourcedSecrets implements Secrets {
  readonly #source: SecretSource;
  #known: readonly string[] | undefined;
  #asked = Number.NEGATIVE_INFINITY;
  #answered = Number.NEGATIVE_INFINITY;
  #pending: Promise<readonly string[]> | undefined;

  constructor(source: SecretSource) {
    this.#source = source;
  }

  get known(): readonly string[] | undefined {
    return performance.now() - this.#answered < maxAgeWhileAway ? this.#known : undefined;
  }

  current(): readonly string[] | Promise<readonly string[]> {
    const now = performance.now();
    const { known } = this;
    if (known !== undefined && now - this.#answered < maxAge) return known;
    if (this.#mayAsk(known === undefined ? minInterval : retryInterval)) return this.#ask();
    return known ?? Promise.reject(new StillAway());
  }

  renewed(): Promise<readonly string[]> | undefined {
    if (this.#mayAsk(minInterval)) return this.#ask();
    // Of a delivery that matches nothing, a source that is away could say more.
    return this.#asked > this.#answered ? Promise.reject(new StillAway()) : undefined;
  }

  #mayAsk(interval: number): boolean {
    return this.#pending !== undefined || performance.now() - this.#asked >= interval;
  }

  /** One request at a time, for everybody who waits. */
  #ask(): Promise<readonly string[]> {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<readonly string[]> {
    this.#asked = performance.now();
    const given = await stepOf('The function `secret`', this.#source);
    this.#known = readSecrets(given, 'createReceiver: what the function `secret` gives');
    this.#answered = performance.now();
    return this.#known;
  }
}
