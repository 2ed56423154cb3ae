import { vi } from 'vitest';

/** Waits until an assertion holds. The time limit is long, because machines can be slow. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> => vi.waitFor(assertion, 120_000);
