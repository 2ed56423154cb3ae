import { vi } from 'vitest';

/** Waits until an assertion holds. Patient: how fast a machine is, is nobody's promise. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> => vi.waitFor(assertion, 120_000);
