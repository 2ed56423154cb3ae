import { sha256Hash } from '#sandbox-runtime';
import { Cell } from '../state/cell.js';
import { State, type TableFactory } from '../state/state.js';

/** 48 bits, so that secrets derived from the seed cannot be guessed. */
export function unpredictableSeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return high * 2 ** 16 + (low >>> 16);
}

type Position = [a: number, b: number, c: number, counter: number];

/**
 * sfc32. Each purpose has its own stream, so that, for example, a rejected request does not change the ids of
 * later payments.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;
  readonly #changed: () => void;

  /** @param tables store the position in the stream. By default, it is not stored */
  constructor(seed: number, purpose: string, tables: TableFactory = new State(seed)) {
    const { buffer, byteOffset } = sha256Hash().update(`${seed}:${purpose}`).digest();
    const digest = new DataView(buffer, byteOffset);
    const wordAt = (position: number) => digest.getUint32(position, true);
    const first: Position = [wordAt(0), wordAt(4), wordAt(8), 1];
    const moveTo = (position = first) => {
      [this.#a, this.#b, this.#c, this.#counter] = position;
    };
    moveTo();
    this.#changed = tables.keep(
      `random ${purpose}`,
      new Cell<Position>(() => [this.#a, this.#b, this.#c, this.#counter], moveTo),
    );
  }

  /** 32 bits, unsigned. */
  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    this.#changed();
    return sum >>> 0;
  }

  /** @param length in hexadecimal digits */
  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  digits(length: number): string {
    let text = '';
    while (text.length < length) text += String(this.#next() % 10);
    return text;
  }

  /** In the format of version 4. */
  uuid(): string {
    const hex = this.hex(32);
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
