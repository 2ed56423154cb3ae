import type { StateListener } from './state.js';

/** Each kind has the name of its list. */
export type ChangedRecords =
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

const kinds: Readonly<Record<string, ChangedRecords>> = {
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

const everything: readonly ChangedRecords[] = [...new Set(Object.values(kinds)), 'journal', 'faults'];

/** Without the merchant's name. */
const ownName = (part: string) => part.slice(part.lastIndexOf('/') + 1);

export class Changes implements StateListener {
  readonly #listeners = new Set<(kind: ChangedRecords) => void>();

  note(...kinds: readonly ChangedRecords[]): void {
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

  /** The listener must not throw. */
  subscribe(listener: (kind: ChangedRecords) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
