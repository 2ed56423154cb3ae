/** One listener on a signal, with the callbacks of every call that uses the signal. */
class AbortListener {
  readonly #callbacks = new Set<() => void>();
  readonly #signal: AbortSignal;
  readonly #notifyAll = () => {
    listeners.delete(this.#signal);
    for (const onAbort of [...this.#callbacks]) onAbort();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#notifyAll, { once: true });
  }

  add(onAbort: () => void): void {
    this.#callbacks.add(onAbort);
  }

  delete(onAbort: () => void): void {
    this.#callbacks.delete(onAbort);
    if (this.#callbacks.size > 0 || listeners.get(this.#signal) !== this) return;
    listeners.delete(this.#signal);
    this.#signal.removeEventListener('abort', this.#notifyAll);
  }
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/**
 * Calls `onAbort` when a caller's signal aborts. However many calls share a signal, it gets one
 * listener: Node warns of a leak at eleven.
 *
 * @returns a function that stops listening.
 * @throws whatever the signal throws.
 */
export function listenForAbort(signal: AbortSignal, onAbort: () => void): () => void {
  let listener = listeners.get(signal);
  if (listener === undefined) {
    listener = new AbortListener(signal);
    listeners.set(signal, listener);
  }
  const current = listener;
  current.add(onAbort);
  return () => current.delete(onAbort);
}
