import { type ClaimDetails, type ClaimResult, type DedupeStore, rankId } from '../dedupe-store.js';

/** A claim has a holder, a completed delivery also a digest, and a payment's status has a rank. */
interface Entry {
  readonly until: number;
  readonly holder?: string | undefined;
  readonly digest?: string | undefined;
  readonly rank?: number | undefined;
}

export class MemoryDedupe implements DedupeStore {
  /** Ordered from the oldest entry to the newest. */
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  claim(id: string, lease: number, { holder, digest }: ClaimDetails): ClaimResult {
    const entry = this.#find(id);
    if (entry?.digest !== undefined) return entry.digest === digest ? 'done' : 'changed';
    const isFree = entry === undefined || entry.holder === holder;
    return isFree && this.#store(id, lease, { holder }) ? 'claimed' : 'busy';
  }

  complete(id: string, keepFor: number, { holder, digest }: ClaimDetails): boolean {
    const entry = this.#find(id);
    if (entry !== undefined && entry.holder !== holder) return false;
    this.#store(id, keepFor, { holder, digest });
    return true;
  }

  release(id: string, { holder }: ClaimDetails): void {
    const entry = this.#find(id);
    if (entry?.holder === holder && entry.digest === undefined) this.#entries.delete(id);
  }

  renew(id: string, lease: number, details: ClaimDetails): boolean {
    return this.claim(id, lease, details) === 'claimed';
  }

  advance(id: string, rank: number, keepFor: number): boolean {
    const key = rankId(id);
    if ((this.#find(key)?.rank ?? rank) > rank) return false;
    this.#store(key, keepFor, { rank });
    return true;
  }

  #find(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.until > performance.now() ? entry : undefined;
  }

  #store(id: string, duration: number, entry: Omit<Entry, 'until'>): boolean {
    this.#entries.delete(id);
    if (this.#entries.size >= this.#maxEntries && !this.#forgetOne()) return false;
    const { holder, digest, rank } = entry;
    this.#entries.set(id, { until: performance.now() + duration, holder, digest, rank });
    return true;
  }

  #forgetOne(): boolean {
    for (const [id, { holder, digest, until }] of this.#entries) {
      if (holder !== undefined && digest === undefined && until > performance.now()) continue;
      return this.#entries.delete(id);
    }
    return false;
  }
}
