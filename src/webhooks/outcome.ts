import type { WebhookEvent } from '../contract/events.js';
import type { WebhookVerificationReason } from '../errors/webhook.js';

/** The response status of each outcome. The platform retries after anything but a 2xx. */
const statuses = {
  /** The handler is done. */
  handled: 200,
  /** `enqueue` took it (`acknowledge: 'first'`). */
  enqueued: 202,
  /** It was handled before, or is another body of one that was (`changed: 'ignore'`). */
  duplicate: 200,
  /** No handler is registered for it. */
  unhandled: 200,
  /** `transaction.status.updated`, whose content comes as the specific event. */
  ignored: 200,
  /** An older state than the transaction has (`order: 'forward-only'`). */
  outdated: 200,
  /** Not authentic, not recent or not readable. */
  rejected: 400,
  /** The body did not arrive in time. */
  incomplete: 408,
  /** The body is longer than `maxBody`. */
  'too-large': 413,
  /** The handler threw, its transaction did not commit, or the receiver is not set up rightly: see `onError`. */
  failed: 500,
  /** Another process, or another request, is handling it at this moment. */
  busy: 503,
  /** The handler is done, and another process has taken its claim meanwhile: it may run twice (`onError`). */
  overtaken: 503,
  /** The handler did not end within `handlerTimeout`. When it ends after all, its work is remembered as done. */
  'timed-out': 503,
  /** The dedupe store or the source of the secrets did not answer. Nothing was handled. */
  unavailable: 503,
} as const;

/** What became of a delivery. */
export type ReceiveOutcome = keyof typeof statuses;

/** The response to a delivery. */
export interface ReceiveResult {
  /** The HTTP status to answer with. The response needs no body, and should not say why. */
  readonly status: number;
  /** What became of the delivery, as docs/webhooks.md lists it. */
  readonly outcome: ReceiveOutcome;
  /** The event, if the delivery was authentic. */
  readonly event?: WebhookEvent;
  /** Why it was rejected, for your own log. */
  readonly reason?: WebhookVerificationReason;
}

export const answer = (
  outcome: ReceiveOutcome,
  more?: Pick<ReceiveResult, 'event' | 'reason'>,
): ReceiveResult => ({
  status: statuses[outcome],
  outcome,
  ...more,
});

/** Stops the work on a delivery, because its outcome is known. If there is a `cause`, `onError` gets it. */
export class Refusal extends Error {
  constructor(
    readonly outcome: ReceiveOutcome,
    cause?: Error,
  ) {
    super(outcome, { cause });
  }
}
