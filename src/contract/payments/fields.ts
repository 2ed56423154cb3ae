import { assumed, documented, documentedWith, fieldTable } from '../fields.js';
import { camelCase, splitField } from './answer-fields.js';
import type { CreatePayment } from './types.js';

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
  split: splitField,
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
