import { Cell } from './cell.js';
import type { TableFactory } from './state.js';

export class Sequence {
  #last: number;
  readonly #changed: () => void;

  /** @param name the name of the sequence's part in the state */
  constructor(name: string, first: number, tables: TableFactory) {
    this.#last = first - 1;
    this.#changed = tables.keep(
      name,
      new Cell<number>(
        () => this.#last,
        (last = first - 1) => {
          this.#last = last;
        },
      ),
    );
  }

  next(): number {
    this.#last += 1;
    this.#changed();
    return this.#last;
  }
}
