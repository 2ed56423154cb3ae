import type { WebhookEvent } from '../../contract/events.js';
import type { WebhookVerificationError } from '../../errors/webhook.js';
import { isPromise } from '../../input/outside.js';
import type { DeliveryHeaders } from '../delivery.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { ReceivedDelivery, ReceiveFailure } from './types.js';

/** Calls the hooks of the merchant. What they throw changes no answer. */
export class Reports {
  readonly #options: ResolvedReceiverOptions;

  constructor(options: ResolvedReceiverOptions) {
    this.#options = options;
  }

  error(error: unknown, during: ReceiveFailure['during'], event?: WebhookEvent): void {
    const { onError } = this.#options;
    try {
      // biome-ignore lint/suspicious/noConsole: what nobody hears of is never repaired.
      if (onError === undefined) console.error(error);
      else settle(onError(error, { during, event }));
    } catch {
      // There is nobody left to tell.
    }
  }

  rejected(error: WebhookVerificationError, headers: DeliveryHeaders): void {
    this.#call(() => this.#options.onRejected?.(error, headers));
  }

  duplicate(event: WebhookEvent, delivery: ReceivedDelivery): void {
    this.#call(() => this.#options.onDuplicate?.(event, delivery), event);
  }

  changed(event: WebhookEvent, delivery: ReceivedDelivery): void {
    const { onChanged, handlesChanged } = this.#options;
    if (onChanged !== undefined) this.#call(() => onChanged(event, delivery), event);
    else if (!handlesChanged)
      this.error(new Error(`${delivery.id} came again with another body. ${ignored}`), 'identity', event);
  }

  outdated(event: WebhookEvent, delivery: ReceivedDelivery): void {
    this.#call(() => this.#options.onOutdated?.(event, delivery), event);
  }

  #call(hook: () => unknown, event?: WebhookEvent): void {
    const failed = (error: unknown) => this.error(error, 'hook', event);
    try {
      settle(hook(), failed);
    } catch (error) {
      failed(error);
    }
  }
}

const ignored =
  "It was not handled. If it is another notification, say changed: 'deliver'; if not, take it in `onChanged`.";

/** Nobody waits for a hook, and its rejection is no unhandled one. */
function settle(result: unknown, failed: (error: unknown) => void = () => {}): void {
  if (isPromise(result)) result.then(() => {}, failed);
}
