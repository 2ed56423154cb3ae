import { assumed, documented, documentedWith, fieldTable } from '../fields.js';
import type { CreatePayment, Payment } from './types.js';

const camelCase = 'camel case as the other payment fields.';

/** The body of POST /v1/payments. */
export const paymentRequestFields = fieldTable<CreatePayment>()('payment', 'request', {
  externalId: documented,
  amount: documented,
  paymentMethod: documented,
  customer: documented,
  items: documented,
  subMerchant: documentedWith({
    document: assumed('"Identified by the CPF/CNPJ document": the shape is that of `customer.document`.', {
      fields: {
        number: assumed('As `customer.document.number`.'),
        type: assumed('As `customer.document.type`.'),
      },
    }),
  }),
  split: assumed('The request names the rules only "split rules"; the response lists a `split` object.'),
  card: documented,
  wallet: assumed('Called "wallet block"; the answer has `wallet.type` inside `card`.'),
  threeDSData: assumed('The upsell rule names `threeDSData`; the table says only "3DS result".'),
  clientIp: assumed(`Called "client IP"; ${camelCase}`),
  statementDescriptor: assumed(`Called "statement descriptor"; ${camelCase}`),
  metadata: assumed('Called "metadata".'),
  pix: assumed(
    'Called "Pix options"; named after the payment method, with the documented `expiration` inside.',
  ),
  boleto: assumed('Called "boleto options" in the request; the answer and the notifications have `boleto`.'),
});

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
  split: paymentRequestFields.fields.split,
} as const;

/** A payment in an answer. */
export const paymentFields = fieldTable<Payment>()('payment', 'response', payment);

/** A payment in a notification (API document, Events). */
export const notificationFields = fieldTable<Payment & { event: string }>()('payment', 'notification', {
  event: documented,
  ...payment,
});
