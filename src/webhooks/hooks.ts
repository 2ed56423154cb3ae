import type { WebhookEvent } from '../contract/events.js';
import { isPromise } from '../input/outside.js';
import type { ReceiveFailure, ReceiverOptions } from './types.js';

/**
 * Tells `onError` of a failure, or prints it if there is no `onError`: a failure that is not told is never
 * repaired.
 */
export function tellError(
  { onError }: Pick<ReceiverOptions, 'onError'>,
  error: unknown,
  during: ReceiveFailure['during'],
  event?: WebhookEvent,
): void {
  try {
    // biome-ignore lint/suspicious/noConsole: the merchant has given no other place for it.
    if (onError === undefined) console.error(error);
    else catchLater(onError(error, { during, event }), () => {});
  } catch {
    // onError itself failed. There is nobody left to tell.
  }
}

/** Calls a hook of the merchant. A hook that throws or rejects changes no answer: `onError` is told. */
export function callHook(
  options: Pick<ReceiverOptions, 'onError'>,
  hook: () => unknown,
  event?: WebhookEvent,
): void {
  const failed = (error: unknown) => tellError(options, error, 'hook', event);
  try {
    catchLater(hook(), failed);
  } catch (error) {
    failed(error);
  }
}

/** The receiver does not wait for a hook, and its rejection must not be an unhandled one. */
function catchLater(result: unknown, failed: (error: unknown) => void): void {
  if (isPromise(result)) result.then(() => {}, failed);
}
