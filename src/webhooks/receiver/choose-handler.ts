import type { WebhookEvent } from '../../contract/events.js';
import type { ReceiveOutcome } from './outcome.js';
import type { Handlers, ResolvedReceiverOptions } from './receiver-options.js';
import type { EventHandler } from './types.js';

/** What is to be done with an event. */
export interface Choice {
  /** Undefined if nothing is to be done. */
  readonly handler: EventHandler<WebhookEvent, unknown> | undefined;
  /** The outcome when it is done. */
  readonly outcome: ReceiveOutcome & ('handled' | 'enqueued' | 'unhandled' | 'ignored');
}

const twin = 'transaction.status.updated';

/** The handler of the specific event that tells of the same change. */
function handlerOfTheSpecific(event: WebhookEvent, on: Handlers) {
  const { status } = event as { status?: unknown };
  return typeof status === 'string' ? on[`transaction.${status}`] : undefined;
}

/** Chooses by the name of the event, and for `transaction.status.updated` by its content. */
export function chooseHandler(event: WebhookEvent, options: ResolvedReceiverOptions): Choice {
  const { on, enqueue, handlesTwin, onUnhandled } = options;
  const name = event.event as string;
  const own = on[name];
  if (name === twin && !handlesTwin && (own === undefined || handlerOfTheSpecific(event, on) !== undefined))
    return { handler: undefined, outcome: 'ignored' };
  if (enqueue !== undefined) return { handler: enqueue, outcome: 'enqueued' };
  if (own !== undefined) return { handler: own, outcome: 'handled' };
  return { handler: onUnhandled, outcome: 'unhandled' };
}
