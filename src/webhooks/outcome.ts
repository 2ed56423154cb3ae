import type { WebhookEvent } from '../contract/events.js';
import type { WebhookVerificationReason } from '../errors/webhook.js';

/** The response status of each outcome. The platform retries a delivery unless the status is 2xx. */
export const outcomeStatuses = {
  /** The handler has completed. */
  handled: 200,
  /** `enqueue` accepted the event (`acknowledge: 'first'`). */
  enqueued: 202,
  /** The notification was handled before, with this or another body (`changed: 'ignore'`). */
  duplicate: 200,
  /** No handler is registered for the event. */
  unhandled: 200,
  /** A `transaction.status.updated` whose content also comes as the specific event. */
  ignored: 200,
  /** The notification is older than the transaction's state (`order: 'forward-only'`). */
  outdated: 200,
  /** The delivery is not authentic, not recent or not readable. */
  rejected: 400,
  /** The body did not arrive, or not in time. */
  incomplete: 408,
  /** The body is longer than `maxBody`. */
  'too-large': 413,
  /**
   * The handler threw, its transaction did not commit, or the receiver is not set up correctly: see
   * `onError`.
   */
  failed: 500,
  /** Another process, or another request, is handling the notification. */
  busy: 503,
  /**
   * The handler has completed, but another process took its claim in the meantime. The handler can run twice.
   * The receiver calls `onError`.
   */
  overtaken: 503,
  /**
   * The delivery was not handled within `handlerTimeout`. If the handler completes later, the delivery is
   * marked as done.
   */
  'timed-out': 503,
  /**
   * The dedupe store or the source of the secrets failed, or too many bodies were arriving. Nothing
   * was handled.
   */
  unavailable: 503,
} as const;

/** The outcome of a delivery. */
export type ReceiveOutcome = keyof typeof outcomeStatuses;

const otherOutcomes: Readonly<Partial<Record<WebhookVerificationReason, ReceiveOutcome>>> = {
  // The mistake is on the merchant's server, so the receiver calls `onError` instead of `onRejected`.
  'body-already-parsed': 'failed',
  'body-too-large': 'too-large',
  'body-incomplete': 'incomplete',
};

export const outcomeOf = (reason: WebhookVerificationReason): ReceiveOutcome =>
  otherOutcomes[reason] ?? 'rejected';

/** The response to a delivery. */
export interface ReceiveResult {
  /** The HTTP status of the response. The response needs no body, and should not explain the status. */
  readonly status: number;
  /** The delivery's outcome, as listed in docs/webhooks.md. */
  readonly outcome: ReceiveOutcome;
  /** The event, if the receiver verified and read the delivery. */
  readonly event?: WebhookEvent;
  /** The reason for a rejection, for your own log. */
  readonly reason?: WebhookVerificationReason;
}

export const createResult = (
  outcome: ReceiveOutcome,
  more?: Pick<ReceiveResult, 'event' | 'reason'>,
): ReceiveResult => ({
  status: outcomeStatuses[outcome],
  outcome,
  ...more,
});

/** If there is a `cause`, it is passed to `onError`. */
export class KnownOutcomeError extends Error {
  constructor(
    readonly outcome: ReceiveOutcome,
    cause?: Error,
  ) {
    super(outcome, { cause });
  }
}
