import { createHash, createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

export { inspect } from 'node:util';
/** `web.ts` exports the same names for browsers and Workers. */
export * from './node-keys.js';

// Node's own timers, captured when this file loads, so that a test's fake timers do not replace them.
export const setTimer = setTimeout;
export const clearTimer = clearTimeout;
/** After all data that has already arrived was read. */
export const runAfterArrivedData = setImmediate;

/** Lets the process end before the timer fires. A timer of jsdom is a number. */
export const unref = (timer: Partial<NodeJS.Timeout>): void => void timer.unref?.();

/** By default, Node warns of a leak when a signal has more than ten listeners. */
export function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {
    // The signal is jsdom's, which does not warn.
  }
}

export interface Hash {
  update(content: string | Uint8Array): Hash;
  /** 32 bytes. */
  digest(): Uint8Array;
}

export const sha256Hash = (): Hash => createHash('sha256');

/** 32 bytes. */
export const hmacSha256 = (secret: string, text: string): Uint8Array =>
  createHmac('sha256', secret).update(text).digest();
