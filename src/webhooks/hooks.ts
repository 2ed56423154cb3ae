import type { WebhookVerificationError } from '../errors/webhook.js';
import { isPromise } from '../validation/record.js';
import type { ReceiveFailure } from './types.js';

interface ErrorHook {
  readonly onError?: ((error: unknown, failure: ReceiveFailure<unknown>) => unknown) | undefined;
}

export function reportError({ onError }: ErrorHook, error: unknown, failure: ReceiveFailure): void {
  try {
    // biome-ignore lint/suspicious/noConsole: without onError this is the only place for the error
    if (onError === undefined) console.error(`payment-platform: ${describe(failure)}:`, error);
    else catchLater(onError(error, failure), () => {});
  } catch {
    // `onError` itself failed.
  }
}

function describe({ during, event }: ReceiveFailure): string {
  if (event === undefined) return `webhook ${during} failed`;
  const { id, externalReference } = event as Readonly<Record<string, unknown>>;
  return `webhook ${during} failed for ${[event.event, id, externalReference]
    .filter((part) => part !== undefined)
    .map(toLogText)
    .join(' ')}`;
}

/** The sender may have put a line break into the value. */
const toLogText = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)
    ? value
    : String(JSON.stringify(value)).slice(0, 100);

/** A hook that throws or rejects does not change the response, and its error goes to `onError`. */
export function callHook(
  options: ErrorHook,
  hook: () => unknown,
  known?: Omit<ReceiveFailure, 'during'>,
): void {
  const failed = (error: unknown) => reportError(options, error, { ...known, during: 'hook' });
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

const warningIntervalMs = 60_000;

/** Remembers a receiver's reports, so that a flood of deliveries causes few lines. */
export class Reports {
  readonly #reported = new Set<string>();
  readonly #rejections = new Map<string, { since: number; count: number }>();

  isFirst(subject: string): boolean {
    const isFirst = !this.#reported.has(subject);
    this.#reported.add(subject);
    return isFirst;
  }

  warnRejected({ reason, message }: WebhookVerificationError): void {
    const now = performance.now();
    const { since = Number.NEGATIVE_INFINITY, count = 0 } = this.#rejections.get(reason) ?? {};
    if (now - since < warningIntervalMs) {
      this.#rejections.set(reason, { since, count: count + 1 });
      return;
    }
    this.#rejections.set(reason, { since: now, count: 0 });
    const others = count > 0 ? ` ${count} more since the last warning.` : '';
    // biome-ignore lint/suspicious/noConsole: without onRejected this is the only sign of a wrong secret
    console.warn(
      `payment-platform: rejected a webhook delivery (${reason}).${others} ${message} Set onRejected to see each one.`,
    );
  }
}
