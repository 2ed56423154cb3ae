import type { WebhookEvent } from '../contract/events.js';
import { isPromise } from '../validation/record.js';
import type { ReceiveFailure, ReceiverOptions } from './types.js';

/** Calls `onError` with a failure, or prints the failure if there is no `onError`. */
export function reportError(
  { onError }: Pick<ReceiverOptions, 'onError'>,
  error: unknown,
  during: ReceiveFailure['during'],
  event?: WebhookEvent,
): void {
  try {
    // biome-ignore lint/suspicious/noConsole: without onError this is the only place for the error
    if (onError === undefined) console.error(error);
    else catchLater(onError(error, { during, event }), () => {});
  } catch {
    // `onError` itself failed.
  }
}

/**
 * Calls one of the merchant's hooks. A hook that throws or rejects does not change the response, and its
 * error goes to `onError`.
 */
export function callHook(
  options: Pick<ReceiverOptions, 'onError'>,
  hook: () => unknown,
  event?: WebhookEvent,
): void {
  const failed = (error: unknown) => reportError(options, error, 'hook', event);
  try {
    catchLater(hook(), failed);
  } catch (error) {
    failed(error);
  }
}

/** Handles a hook's rejection, which must not end the process. The receiver does not wait for hooks. */
function catchLater(result: unknown, failed: (error: unknown) => void): void {
  if (isPromise(result)) result.then(() => {}, failed);
}
