import { computeDigest } from '#platform';
import {
  findRank,
  findStatus,
  getStatusEvent,
  statusUpdated,
  transactionEvents,
  type WebhookEvent,
} from '../contract/events.js';
import type { RawBody } from '../platform/signed-delivery.js';
import type { ReceiveOutcome } from './outcome.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { EventHandler } from './types.js';

export interface HandlerChoice {
  readonly handler: EventHandler<WebhookEvent, unknown, unknown> | undefined;
  readonly outcome: ReceiveOutcome & ('handled' | 'enqueued' | 'unhandled' | 'ignored');
}

const events: readonly string[] = transactionEvents;

/**
 * Checks whether the same change of status also arrives as a specific event, so that
 * `transaction.status.updated` needs no handler.
 */
function arrivesAsSpecificEvent(event: WebhookEvent, { on, enqueue }: ResolvedReceiverOptions): boolean {
  const { status } = event as { status?: unknown };
  const specific = typeof status === 'string' ? getStatusEvent(status) : undefined;
  // If no specific event belongs to the status, only `transaction.status.updated` reports it.
  if (specific === statusUpdated || (specific !== undefined && !events.includes(specific))) return false;
  if (enqueue !== undefined || on?.[statusUpdated] === undefined) return true;
  return specific !== undefined && on?.[specific] !== undefined;
}

export function chooseHandler(event: WebhookEvent, options: ResolvedReceiverOptions): HandlerChoice {
  const { on, enqueue, onUnhandled } = options;
  const name = event.event as string;
  const own = on?.[name];
  if (name === statusUpdated && options.statusUpdated === 'ignore' && arrivesAsSpecificEvent(event, options))
    return { handler: undefined, outcome: 'ignored' };
  if (enqueue !== undefined) return { handler: enqueue, outcome: 'enqueued' };
  if (own !== undefined) return { handler: own, outcome: 'handled' };
  return { handler: onUnhandled, outcome: 'unhandled' };
}

/** A longer identity is replaced with its digest, because stores use identities as keys. */
const maxLength = 200;

/** Notifications of endpoints with different names are not duplicates. */
export function computeIdentity(
  event: WebhookEvent,
  body: RawBody,
  endpoint: string | undefined,
): string | Promise<string> {
  const { id, status } = event as { id?: unknown; status?: unknown };
  if (typeof id !== 'string' || id === '') return identifyBody(computeDigest(body), endpoint);
  return toKey([event.event, id, typeof status === 'string' ? status : null], endpoint);
}

export async function identifyBody(
  digest: string | Promise<string>,
  endpoint: string | undefined,
): Promise<string> {
  return endpoint === undefined ? digest : toKey([await digest], endpoint);
}

export function toKey(
  identity: string | readonly unknown[],
  endpoint: string | undefined,
): string | Promise<string> {
  // ASCII without spaces can be stored by any store, and sent as an idempotency key.
  const key = JSON.stringify(endpoint === undefined ? identity : [identity, endpoint]).replace(
    /[^!-~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return key.length > maxLength ? computeDigest(key) : key;
}

export function checkIdentity(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError('The function `identity` must return a non-empty string.');
}

export interface TransactionState {
  readonly id: string;
  readonly rank: number;
}

export function findState(event: WebhookEvent): TransactionState | undefined {
  const { id, status } = event as { id?: unknown; status?: unknown };
  const rank = findRank(event.event === statusUpdated ? status : findStatus(event.event));
  return typeof id === 'string' && id !== '' && rank !== undefined ? { id, rank } : undefined;
}
