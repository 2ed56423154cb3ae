/** What can change in a sandbox, by the names of its lists. */
export type ChangeKind =
  | 'payments'
  | 'onboarding'
  | 'submerchants'
  | 'withdrawals'
  | 'domains'
  | 'certificates'
  | 'endpoints'
  | 'deliveries'
  | 'journal'
  | 'clock'
  | 'faults'
  | 'merchants';

/** Tells listeners that something of a kind has changed, and not what. */
export class Changes {
  readonly #listeners = new Set<(kind: ChangeKind) => void>();

  note(...kinds: readonly ChangeKind[]): void {
    for (const kind of kinds) for (const listener of this.#listeners) listener(kind);
  }

  /** Calls the listener for each change; it must not throw. Returns a function that ends this. */
  subscribe(listener: (kind: ChangeKind) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
