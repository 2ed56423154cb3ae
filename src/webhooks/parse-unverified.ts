import type { WebhookEvent } from '../contract/events.js';
import { ConfigurationError } from '../errors/usage.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { inWords } from '../input/issue.js';
import { readOptions } from '../input/options.js';
import type { Delivery } from './delivery.js';
import { rawBody } from './raw-body.js';
import { rawBodyHelp } from './raw-body-help.js';
import { readEvent } from './read-event.js';
import { checksOf, fieldNames, type VerifyOptions } from './verify-options.js';

/**
 * Reads a delivery of an endpoint that has no `hmac_secret`, so that it is not signed. **Anybody who knows the
 * URL can send it**: what it says may be false. Ship nothing on its word; take it as a hint to look the payment
 * up, or better, give the endpoint a secret (`webhooks.update`) and use `verify` or `createReceiver`.
 *
 * @throws WebhookVerificationError for what is no event.
 */
export function parseUnverified(
  body: Delivery['body'],
  options: Pick<VerifyOptions, 'fieldNames'> = {},
): WebhookEvent {
  const { value = {}, issues } = readOptions(options, { fieldNames });
  if (issues.length > 0) throw new ConfigurationError(`webhooks: ${inWords(issues)}.`);
  const raw = rawBody(body);
  if (raw === undefined) throw new WebhookVerificationError('body-already-parsed', rawBodyHelp());
  return readEvent(raw, checksOf(value).toSdkNames);
}
