/** Everybody who follows one signal, behind one listener. */
class Following {
  readonly #onAborts = new Set<() => void>();
  readonly #signal: AbortSignal;
  readonly #tellAll = () => {
    followings.delete(this.#signal);
    for (const onAbort of [...this.#onAborts]) onAbort();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#tellAll, { once: true });
  }

  add(onAbort: () => void): void {
    this.#onAborts.add(onAbort);
  }

  delete(onAbort: () => void): void {
    this.#onAborts.delete(onAbort);
    if (this.#onAborts.size > 0 || followings.get(this.#signal) !== this) return;
    followings.delete(this.#signal);
    this.#signal.removeEventListener('abort', this.#tellAll);
  }
}

const followings = new WeakMap<AbortSignal, Following>();

/**
 * Follows a caller's signal. However many calls share it, it gets one listener: Node warns of a leak
 * where eleven listen. Returns what ends it.
 *
 * @throws what the signal throws.
 */
export function follow(signal: AbortSignal, onAbort: () => void): () => void {
  let following = followings.get(signal);
  if (following === undefined) {
    following = new Following(signal);
    followings.set(signal, following);
  }
  const followed = following;
  followed.add(onAbort);
  return () => followed.delete(onAbort);
}
