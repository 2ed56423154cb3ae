import type { Part } from './table.js';

const only = [''] as const;

/** A part of a state that is one value, of something that keeps the value itself. */
export class Cell<Value> implements Part {
  readonly #read: () => Value;
  readonly #write: (value: Value | undefined) => void;

  /** @param write undefined for the first value, that of a new sandbox. */
  constructor(read: () => Value, write: (value: Value | undefined) => void) {
    this.#read = read;
    this.#write = write;
  }

  keys(): Iterable<string> {
    return only;
  }

  encoded(): unknown {
    return this.#read();
  }

  fill(entries: Iterable<readonly [key: string, json: unknown]>): void {
    const [entry] = entries;
    this.#write(entry?.[1] as Value | undefined);
  }
}
