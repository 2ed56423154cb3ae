import { accept } from '../errors/usage.js';
import type { DedupeStore } from '../stores/dedupe-store.js';
import { MemoryDedupe } from '../stores/memory/dedupe.js';
import { integerReader, withDefault } from '../validation/options.js';
import { tableReader } from './options.js';

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions {
  /** The maximum number of remembered deliveries. The store forgets the oldest first. Default 100,000. */
  maxEntries?: number | undefined;
}

const optionsReader = () =>
  tableReader<MemoryDedupeOptions, { maxEntries: number }>({
    maxEntries: withDefault(() => 100_000, integerReader(1, 'a number of deliveries')),
  });

/**
 * Remembers deliveries only in this process's memory. For several processes, use
 * `redisDedupe` or `postgresDedupe`.
 *
 * @throws ConfigurationError for an unknown or wrong option.
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  const { maxEntries } = accept('memoryDedupe', optionsReader(), options);
  return new MemoryDedupe(maxEntries);
}
