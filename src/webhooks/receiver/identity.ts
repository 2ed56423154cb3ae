import type { WebhookEvent } from '../../contract/events.js';
import { digestOf } from '../crypto.js';
import type { RawBody } from '../signature.js';

/** A longer identity is replaced by its digest: it is a key of a store. */
const maxLength = 200;

/** The identity of a notification: `event`, `id` and `status` if `id` is a text, else the digest of the body. */
export function identityOf(event: WebhookEvent, body: RawBody): string | Promise<string> {
  const { id, status } = event as { id?: unknown; status?: unknown };
  if (typeof id !== 'string' || id === '') return digestOf(body);
  const identity = JSON.stringify([event.event, id, typeof status === 'string' ? status : null]);
  return identity.length > maxLength ? digestOf(identity) : identity;
}

/** What a function of the merchant gives, checked. */
export function checkedIdentity(given: unknown): string | Promise<string> {
  if (typeof given !== 'string' || given === '')
    throw new TypeError('The function `identity` must give a text that is not empty.');
  // As JSON, so that no store meets a character that it cannot hold.
  const identity = JSON.stringify(given);
  return identity.length > maxLength ? digestOf(identity) : identity;
}
