import { createHash, randomBytes } from 'node:crypto';

/** A source of values for secrets. */
export interface SecretSource {
  /** @param length number of hexadecimal digits. */
  hex(length: number): string;
}

/** Different in every run, and not predictable. */
export const unpredictable: SecretSource = Object.freeze({
  hex: (length: number) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
});

/**
 * A seeded stream of values (sfc32). Each purpose has its own stream, so that, for example, a refused
 * request does not change the ids of later payments. It makes secrets only if the caller chose the seed.
 */
export class Random implements SecretSource {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, purpose: string) {
    const digest = createHash('sha256').update(`${seed}:${purpose}`).digest();
    this.#a = digest.readUInt32LE(0);
    this.#b = digest.readUInt32LE(4);
    this.#c = digest.readUInt32LE(8);
  }

  /** 32 random bits, as an integer without sign. */
  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

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

  /** A UUID in the form of version 4. */
  uuid(): string {
    const hex = this.hex(32);
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
