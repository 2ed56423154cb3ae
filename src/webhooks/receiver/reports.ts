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

  duplicate(event: WebhookEvent, delivery: ReceivedDelivery, bodyDiffers: boolean): void {
    const { onDuplicate } = this.#options;
    if (onDuplicate !== undefined) this.#call(() => onDuplicate(event, delivery, { bodyDiffers }), event);
    else if (bodyDiffers)
      this.error(new Error(`${delivery.id} came again with another body. ${differs}`), 'identity', event);
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

const differs =
  'It was not handled again. If it is another notification, tell them apart with the option `identity`; if not, take it in `onDuplicate`.';

/** Nobody waits for a hook, and its rejection is no unhandled one. */
function settle(result: unknown, failed: (error: unknown) => void = () => {}): void {
  if (isPromise(result)) result.then(() => {}, failed);
}
