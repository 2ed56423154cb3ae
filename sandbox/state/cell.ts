import type { Part } from './table.js';

const only = [''] as const;

/** The value stays in the object that owns it. The part reads and writes it there. */
export class Cell<Value> implements Part {
  readonly #read: () => Value;
  readonly #write: (value: Value | undefined) => void;

  /** @param write stores a value. For a new sandbox, it receives undefined */
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
