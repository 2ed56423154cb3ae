/** Consecutive integers. */
export class Sequence {
  #last: number;

  constructor(first: number) {
    this.#last = first - 1;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
