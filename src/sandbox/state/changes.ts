import type { StateListener } from './state.js';

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

const kinds: Readonly<Record<string, ChangeKind>> = {
  payments: 'payments',
  'payment keys': 'payments',
  'upsell tokens': 'payments',
  onboarding: 'onboarding',
  documents: 'onboarding',
  'sub-accounts': 'submerchants',
  withdrawals: 'withdrawals',
  domains: 'domains',
  certificates: 'certificates',
  endpoints: 'endpoints',
  notifications: 'deliveries',
  clock: 'clock',
  merchants: 'merchants',
  credentials: 'merchants',
  features: 'merchants',
  'access tokens': 'merchants',
};

const everything: readonly ChangeKind[] = [...new Set(Object.values(kinds)), 'journal', 'faults'];

/** The part of a merchant has the name of its merchant before its own. */
const ownName = (part: string) => part.slice(part.lastIndexOf('/') + 1);

/** Tells listeners that something of a kind has changed, and not what. */
export class Changes implements StateListener {
  readonly #listeners = new Set<(kind: ChangeKind) => void>();

  note(...kinds: readonly ChangeKind[]): void {
    for (const kind of kinds) for (const listener of this.#listeners) listener(kind);
  }

  changed(part: string): void {
    if (this.#listeners.size === 0) return;
    const kind = kinds[ownName(part)];
    if (kind !== undefined) this.note(kind);
  }

  restored(): void {
    this.note(...everything);
  }

  /** Calls the listener for each change; it must not throw. Returns a function that ends this. */
  subscribe(listener: (kind: ChangeKind) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
