import type { Issue } from './issue.js';

/** A value as it was read: what is accepted, and what is wrong. A class, because a plain object could inherit either. */
export class Read<Value> {
  constructor(
    /** Undefined where nothing was given, or nothing of it can be used. */
    readonly value: Value | undefined,
    readonly issues: readonly Issue[] = [],
  ) {}
}
