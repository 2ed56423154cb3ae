import type { Chunks, Content } from './file-content.js';
import { checkPath, noFileSystem } from './path-problems.js';

/** Takes the place of `path-content.ts` on runtimes without files: every path is refused before anything is sent. */
export class PathContent implements Content {
  readonly oneShot = false;
  readonly size = undefined;
  readonly #path: string | URL;

  constructor(path: string | URL) {
    this.#path = path;
  }

  async open(): Promise<never> {
    checkPath(this.#path);
    throw noFileSystem();
  }

  async *read(): Chunks {
    yield await this.open();
  }

  close(): void {}
}
