import { assumed, documented, fieldTable } from '../fields.js';
import type { Payment } from './types.js';

/** A part of several reasons. */
export const camelCase = 'camel case as the other payment fields.';

/** Of requests and of answers. */
export const splitField = assumed(
  'The request names the rules only "split rules"; the response lists a `split` object.',
);

const payment = {
  id: documented,
  status: documented,
  amount: documented,
  paymentMethod: documented,
  createdAt: documented,
  externalReference: documented,
  card: documented,
  customer: documented,
  items: documented,
  upsell: documented,
  boleto: documented,
  refusalReason: assumed(`Called "refusal reason"; ${camelCase}`),
  subMerchant: assumed('The request has `subMerchant`; the answer says only "owner sub-account data".'),
  split: splitField,
} as const;

/** A payment in an answer. */
export const paymentFields = fieldTable<Payment>()('payment', 'response', payment);

/** A payment in a notification (API document, Events). */
export const notificationFields = fieldTable<Payment & { event: string }>()('payment', 'notification', {
  event: documented,
  ...payment,
});
