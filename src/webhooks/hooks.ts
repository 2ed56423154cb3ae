import type { WebhookEvent } from '../contract/events.js';
import { isPromise } from '../validation/record.js';
import type { ReceiveFailure, ReceiverOptions } from './types.js';

/** Gives a failure to `onError`, or prints it if there is no `onError`. */
export function reportError(
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
    // `onError` itself failed.
  }
}

/** Calls a hook of the merchant. A hook that throws or rejects changes no answer: `onError` gets its error. */
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

/** The receiver does not wait for a hook, and its rejection must not end the process. */
function catchLater(result: unknown, failed: (error: unknown) => void): void {
  if (isPromise(result)) result.then(() => {}, failed);
}
