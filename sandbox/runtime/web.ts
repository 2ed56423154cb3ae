import { hmac, sha256 } from './noble.js';
import type { Hash } from './node.js';

export { inspect } from './web-inspect.js';
/** See `node.ts`. WebCrypto is not used, because its functions are asynchronous. */
export * from './web-keys.js';

export const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
/** In the next task. These runtimes have no later moment. */
export const runAfterArrivedData = (run: () => void): unknown => setTimer(run, 0);

/** Timers keep no page and no Worker alive. */
export const unref = (_: unknown): void => undefined;

export const allowManyListeners = (_: AbortSignal): void => undefined;

export const sha256Hash = (): Hash => sha256.create();

export const hmacSha256 = (secret: string, text: string): Uint8Array => hmac(sha256, secret, text);
