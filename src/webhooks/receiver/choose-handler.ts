import { eventOfStatus, statusUpdated, transactionEvents, type WebhookEvent } from '../../contract/events.js';
import type { ReceiveOutcome } from './outcome.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { EventHandler } from './types.js';

/** What is to be done with an event. */
export interface Choice {
  /** Undefined if nothing is to be done. */
  readonly handler: EventHandler<WebhookEvent, unknown> | undefined;
  /** The outcome when it is done. */
  readonly outcome: ReceiveOutcome & ('handled' | 'enqueued' | 'unhandled' | 'ignored');
}

const events: readonly string[] = transactionEvents;

/** Whether the same change comes as a specific event, and needs no other handler. */
function isToldBySpecific(event: WebhookEvent, { on, enqueue }: ResolvedReceiverOptions): boolean {
  const { status } = event as { status?: unknown };
  const specific = typeof status === 'string' ? eventOfStatus(status) : undefined;
  // A status without an event of its own comes in no other way.
  if (specific === statusUpdated || (specific !== undefined && !events.includes(specific))) return false;
  if (enqueue !== undefined || on[statusUpdated] === undefined) return true;
  return specific !== undefined && on[specific] !== undefined;
}

/** Chooses by the name of the event, and for `transaction.status.updated` by its content. */
export function chooseHandler(event: WebhookEvent, options: ResolvedReceiverOptions): Choice {
  const { on, enqueue, handlesTwin, onUnhandled } = options;
  const name = event.event as string;
  const own = on[name];
  if (name === statusUpdated && !handlesTwin && isToldBySpecific(event, options))
    return { handler: undefined, outcome: 'ignored' };
  if (enqueue !== undefined) return { handler: enqueue, outcome: 'enqueued' };
  if (own !== undefined) return { handler: own, outcome: 'handled' };
  return { handler: onUnhandled, outcome: 'unhandled' };
}
