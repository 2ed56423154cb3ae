import type { DedupeStore } from '../stores/dedupe-store.js';
import { MemoryDedupe } from '../stores/memory/dedupe.js';
import { type OptionReaders, readOptions, readPositiveInteger } from './options.js';

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions {
  /** The maximum number of remembered deliveries. The store forgets the oldest first. Default 100,000. */
  maxEntries?: number | undefined;
}

const optionReaders: OptionReaders<MemoryDedupeOptions, { maxEntries: number }> = {
  maxEntries: (value = 100_000, name) => readPositiveInteger(value, name, 'a number of deliveries'),
};

/**
 * Remembers deliveries only in this process's memory. For several processes, use
 * `redisDedupe` or `postgresDedupe`.
 *
 * @throws ConfigurationError for an unknown or wrong option.
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  const { maxEntries } = readOptions('memoryDedupe', options, optionReaders);
  return new MemoryDedupe(maxEntries);
}
