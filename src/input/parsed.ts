import type { Issue } from './issue.js';

/** The result of reading a value: the accepted value, and its issues. A class, because a plain object could inherit a property. */
export class Parsed<Value> {
  constructor(
    /** Undefined if nothing was given, or if nothing of it can be used. */
    readonly value: Value | undefined,
    readonly issues: readonly Issue[] = [],
  ) {}
}
