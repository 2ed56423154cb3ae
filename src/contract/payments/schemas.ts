import { limits } from '../limits.js';
import { cents, described, filled, integer, object, titled, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import * as z from '../zod.js';
import type { createPayment } from './operations.js';

/** Types and limits of single fields. Rules between fields are in `createPaymentRules`. */
function paymentRequest() {
  const document = z.looseObject({ number: z.optional(filled), type: z.optional(filled) });
  return titled(
    'CreatePayment',
    z.looseObject({
      externalId: z.optional(z.string()),
      amount: cents
        .check(z.minimum(limits.paymentAmountCents.min, 'must be at least 100 cents'))
        .check(z.maximum(limits.paymentAmountCents.max, 'must be at most 15000000 cents')),
      paymentMethod: z.enum(['pix', 'credit_card', 'boleto']),
      customer: z.optional(
        z.looseObject({
          name: z.optional(z.string()),
          email: z.optional(z.string()),
          document: z.optional(document),
        }),
      ),
      items: z
        .array(z.looseObject({ title: z.string(), quantity: integer, unitPrice: cents }))
        .check(z.minLength(1, 'must have at least one item')),
      subMerchant: z.optional(object),
      split: z.optional(z.array(object).check(z.minLength(1, 'must have at least one rule'))),
      card: z.optional(
        z.looseObject({
          number: z.optional(filled),
          cvv: z.optional(filled),
          holderName: z.optional(filled),
          expirationMonth: z.optional(integer),
          expirationYear: z.optional(integer),
          installments: z.optional(integer),
          cardTokenId: z.optional(filled),
          upsellToken: z.optional(filled),
        }),
      ),
      wallet: z.optional(object),
      threeDSData: z.optional(object),
      clientIp: z.optional(z.string()),
      statementDescriptor: z.optional(z.string()),
      metadata: z.optional(object),
      pix: z.optional(z.looseObject({ expiration: z.optional(z.number()) })),
      boleto: z.optional(z.looseObject({ expirationDate: z.optional(z.string()) })),
    }),
  );
}

/** The documented statuses, and those for which only events are documented: whether payments have them is undocumented. */
const statuses = [
  'waiting_payment',
  'paid',
  'refused',
  'refunded',
  'in_analysis',
  'chargedback',
  'cancelled',
  'expired',
] as const;

/** Strict, because a mismatch is never thrown: it is only reported to `onDrift`. */
function payment() {
  const nullableText = z.nullable(z.string());
  return titled(
    'Payment',
    z.strictObject({
      id: uuid,
      status: described(
        {
          description:
            'Events of chargedback, cancelled and expired exist; whether they are statuses is undocumented.',
        },
        z.enum(statuses),
      ),
      amount: cents,
      paymentMethod: z.enum(['pix', 'credit_card', 'boleto']),
      createdAt: z.string(),
      externalReference: z.optional(z.string()),
      card: z.optional(
        z.strictObject({
          brand: z.optional(z.string()),
          last4: z.optional(z.string()),
          wallet: z.optional(object),
        }),
      ),
      customer: z.optional(
        z.strictObject({
          name: nullableText,
          email: nullableText,
          phone: nullableText,
          documentNumber: nullableText,
          documentType: nullableText,
          address: z.nullable(
            z.strictObject({
              zipCode: nullableText,
              street: nullableText,
              streetNumber: nullableText,
              neighborhood: nullableText,
              city: nullableText,
              state: nullableText,
              country: nullableText,
            }),
          ),
        }),
      ),
      items: z.optional(z.array(z.strictObject({ title: z.string(), quantity: integer, unitPrice: cents }))),
      upsell: z.optional(z.strictObject({ token: z.string() })),
      boleto: z.optional(z.looseObject({ digitableLine: z.optional(z.string()) })),
      refusalReason: z.optional(object),
      subMerchant: z.optional(object),
      split: z.optional(object),
    }),
  );
}

export const paymentSchemas = {
  'payments.create': schemasFor<typeof createPayment>()(() => ({
    request: paymentRequest(),
    response: payment(),
  })),
  'payments.boleto': () => ({}),
};
