import type { WebhookEvent } from '../contract/events.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { parseJson } from '../input/json.js';
import { isRecord } from '../input/record.js';
import type { ToSdkNames } from './notification-names.js';
import type { RawBody } from './signature.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the event from a body, with the SDK's field names.
 *
 * @throws WebhookVerificationError
 */
export function readEvent(body: RawBody, toSdkNames: ToSdkNames): WebhookEvent {
  let payload: unknown;
  try {
    payload = parseJson(typeof body === 'string' ? body : utf8.decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('malformed-payload', 'The body is not JSON.', cause);
  }
  if (!isRecord(payload))
    throw new WebhookVerificationError('malformed-payload', 'The body is not a JSON object.');
  if (typeof payload.event !== 'string' || payload.event === '') {
    throw new WebhookVerificationError('missing-event', 'The body has no field `event`.');
  }
  return toSdkNames(payload) as unknown as WebhookEvent;
}
