import { maxBodyBytes } from './engine.js';

/**
 * Collects the chunks of an answer in one buffer, so that memory use is proportional to its bytes: a
 * chunk of a single byte may keep a whole socket buffer in memory.
 */
export class BodyCollector {
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

  /** Adds a chunk. Returns false, and adds nothing, if the answer would exceed the limit. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > maxBodyBytes) return false;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
    return true;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(2 * length, 4096));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
