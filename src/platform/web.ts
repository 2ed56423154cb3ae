/** Runtime-specific functions for Workers, edge runtimes and pages: see `node.ts`. */
import { type Chunks, type Content, checkPath, noFileSystem } from './file-content.js';

export { computeDigest, findSigner } from './web-crypto.js';

export function hmac(): never {
  throw new TypeError('sign needs node:crypto, which this runtime lacks. Sign in Node, Deno or Bun.');
}

export function isSignedBy(): never {
  throw new TypeError(
    'This runtime has no node:crypto. Use verifyAsync of payment-platform/webhooks, which runs on WebCrypto.',
  );
}

/** Every path is rejected before anything is sent, because these runtimes cannot read files. */
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

export const fileSystem = (): Promise<never> => Promise.reject(new Error('no file system'));

/** Returns the body as it is, because `fetch` has already decoded every encoding that its runtime supports. */
export const undoCodings = async (body: Uint8Array, ..._: unknown[]) => ({ body, codingProblem: undefined });

/** Errors of these runtimes have no codes of the system, so none proves that nothing was sent. */
export const reasonBeforeSending = (_: unknown) => undefined;
export const errorOrCauseCode = (_: unknown) => '';
export const withHint = (code: string) => (code === '' ? '' : ` (${code})`);

export const rawBodyHelp = (): string =>
  'The body must be a string or bytes, not a parsed object. Pass await request.text().';

export const bodyAlreadyReadHelp = (): string =>
  'The body was read before the receiver got it. Remove await request.json() or await request.text() before receiver.fetch(request).';
