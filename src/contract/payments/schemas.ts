import { z } from 'zod';
import { limits } from '../limits.js';
import { cents, filled, integer, object, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type { createPayment } from './operations.js';

/** Types and limits of single fields. Rules between fields are in `createPaymentRules`. */
function paymentRequest() {
  const document = z.looseObject({ number: filled, type: filled });
  return z
    .looseObject({
      externalId: z.string().optional(),
      amount: cents
        .min(limits.paymentAmountCents.min, 'must be at least 100 cents')
        .max(limits.paymentAmountCents.max, 'must be at most 15000000 cents'),
      paymentMethod: z.enum(['pix', 'credit_card', 'boleto']),
      customer: z
        .looseObject({
          name: z.string().optional(),
          email: z.string().optional(),
          document: document.optional(),
        })
        .optional(),
      items: z
        .array(z.looseObject({ title: z.string(), quantity: integer, unitPrice: cents }))
        .min(1, 'must have at least one item'),
      subMerchant: object.optional(),
      split: z.array(object).min(1, 'must have at least one rule').optional(),
      card: z
        .looseObject({
          number: filled.optional(),
          cvv: filled.optional(),
          holderName: filled.optional(),
          expirationMonth: integer.optional(),
          expirationYear: integer.optional(),
          installments: integer.optional(),
          cardTokenId: filled.optional(),
          upsellToken: filled.optional(),
        })
        .optional(),
      wallet: object.optional(),
      threeDSData: object.optional(),
      clientIp: z.string().optional(),
      statementDescriptor: z.string().optional(),
      metadata: object.optional(),
      pix: z.looseObject({ expiration: integer.optional() }).optional(),
      boleto: z.looseObject({ expirationDate: z.string().optional() }).optional(),
    })
    .meta({ title: 'CreatePayment' });
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
  const nullableText = z.string().nullable();
  return z
    .strictObject({
      id: uuid,
      status: z.enum(statuses).meta({
        description:
          'Events of chargedback, cancelled and expired exist; whether they are statuses is undocumented.',
      }),
      amount: cents,
      paymentMethod: z.enum(['pix', 'credit_card', 'boleto']),
      createdAt: z.string(),
      externalReference: z.string().optional(),
      card: z
        .strictObject({
          brand: z.string().optional(),
          last4: z.string().optional(),
          wallet: object.optional(),
        })
        .optional(),
      customer: z
        .strictObject({
          name: nullableText,
          email: nullableText,
          phone: nullableText,
          documentNumber: nullableText,
          documentType: nullableText,
          address: z
            .strictObject({
              zipCode: nullableText,
              street: nullableText,
              streetNumber: nullableText,
              neighborhood: nullableText,
              city: nullableText,
              state: nullableText,
              country: nullableText,
            })
            .nullable(),
        })
        .optional(),
      items: z.array(z.strictObject({ title: z.string(), quantity: integer, unitPrice: cents })).optional(),
      upsell: z.strictObject({ token: z.string() }).optional(),
      boleto: z.looseObject({ digitableLine: z.string().optional() }).optional(),
      refusalReason: z.unknown().optional(),
      subMerchant: z.unknown().optional(),
      split: z.unknown().optional(),
    })
    .meta({ title: 'Payment' });
}

export const paymentSchemas = {
  // Compiled: a quarter of the time. What does not fit is parsed again, for the same issues.
  'payments.create': schemasFor<typeof createPayment>()(() => ({
    request: z.compile(paymentRequest()),
    response: z.compile(payment()),
  })),
  'payments.boleto': () => ({}),
};
