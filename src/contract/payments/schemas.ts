import * as z from 'zod/mini';
import { limits } from '../limits.js';
import {
  assumed,
  cents,
  described,
  filled,
  free,
  integer,
  object,
  requiredBy,
  secret,
  titled,
  uuid,
  withNames,
} from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import { paymentMethods } from './methods.js';
import type { createPaymentOperation } from './operations.js';

const camelCase = 'The SDK uses camel case, as in the other payment fields.';

const split = <Schema extends z.ZodMiniType>(schema: Schema): Schema =>
  assumed(
    'payment.split',
    'For the request, the API docs mention only "split rules". For the response, they list a `split` object.',
    schema,
  );

const pix = <Schema extends z.ZodMiniType>(schema: Schema): Schema =>
  assumed(
    'payment.pix',
    'The API docs call this object "Pix options". The SDK uses the payment method\'s name. The object\'s `expiration` field is documented.',
    schema,
  );

/** Rules between fields are in `createPaymentRules`. */
function paymentRequest() {
  const document = z.looseObject({ number: z.optional(z.string()), type: z.optional(z.string()) });
  return titled(
    'CreatePayment',
    z.looseObject({
      externalId: z.optional(z.string()),
      amount: requiredBy(
        'payment.required',
        cents
          .check(z.minimum(limits.paymentAmountCents.min, 'must be at least 100 cents'))
          .check(z.maximum(limits.paymentAmountCents.max, 'must be at most 15000000 cents')),
      ),
      paymentMethod: requiredBy('payment.required', z.enum(paymentMethods)),
      customer: z.optional(
        z.looseObject({
          name: z.optional(z.string()),
          email: z.optional(z.string()),
          document: z.optional(document),
        }),
      ),
      items: requiredBy(
        'payment.required',
        z
          .array(z.looseObject({ title: z.string(), quantity: integer, unitPrice: cents }))
          .check(z.minLength(1, 'must have at least one item')),
      ),
      subMerchant: withNames(
        {
          document: assumed(
            'payment.subMerchant.document',
            'The API docs say "identified by the CPF/CNPJ document". The SDK uses the shape of `customer.document`.',
            withNames(
              {
                number: assumed(
                  'payment.subMerchant.document.number',
                  'The SDK uses the name from `customer.document.number`.',
                  free,
                ),
                type: assumed(
                  'payment.subMerchant.document.type',
                  'The SDK uses the name of `customer.document.type`.',
                  free,
                ),
              },
              free,
            ),
          ),
        },
        z.optional(object),
      ),
      split: split(z.optional(z.array(object).check(z.minLength(1, 'must have at least one rule')))),
      card: z.optional(
        z.looseObject({
          number: secret(z.optional(filled)),
          cvv: secret(z.optional(filled)),
          holderName: z.optional(filled),
          expirationMonth: z.optional(integer),
          expirationYear: z.optional(integer),
          installments: z.optional(integer),
          cardTokenId: secret(z.optional(filled)),
          upsellToken: secret(z.optional(filled)),
        }),
      ),
      wallet: assumed(
        'payment.wallet',
        'The API docs call this object the "wallet block". The response contains `wallet.type` inside `card`.',
        secret(z.optional(object)),
      ),
      threeDSData: assumed(
        'payment.threeDSData',
        'The upsell rule in the API docs uses `threeDSData`. The table says only "3DS result".',
        secret(z.optional(object)),
      ),
      clientIp: assumed(
        'payment.clientIp',
        `The API docs call this field "client IP". ${camelCase}`,
        z.optional(z.string()),
      ),
      statementDescriptor: assumed(
        'payment.statementDescriptor',
        `The API docs call this field "statement descriptor". ${camelCase}`,
        z.optional(z.string()),
      ),
      metadata: assumed('payment.metadata', 'The API docs call this field "metadata".', z.optional(object)),
      pix: pix(z.optional(z.looseObject({ expiration: z.optional(z.number()) }))),
      boleto: assumed(
        'payment.boleto',
        'In requests, the API docs call this field "boleto options". Notifications contain `boleto`.',
        z.optional(z.looseObject({ expirationDate: z.optional(z.string()) })),
      ),
    }),
  );
}

/** Some of them are documented for events only, and whether a payment can have those is undocumented. */
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

/** The schema is strict, because a mismatch is only reported to `onDrift`, and never thrown. */
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
      paymentMethod: z.enum(paymentMethods),
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
      pix: pix(z.optional(object)),
      boleto: z.optional(z.looseObject({ digitableLine: z.optional(z.string()) })),
      refusalReason: assumed(
        'payment.refusalReason',
        `The API docs call this field "refusal reason". ${camelCase}`,
        z.optional(object),
      ),
      subMerchant: assumed(
        'payment.subMerchant',
        'The request uses `subMerchant`. For the response, the API docs say only "owner sub-account data".',
        z.optional(object),
      ),
      split: split(z.optional(object)),
    }),
  );
}

/** The schema of a payment in a notification (API docs, Events). */
export const notification = () => z.looseObject({ event: z.string(), ...payment().shape });

export const paymentSchemas = {
  'payments.create': defineSchemas<typeof createPaymentOperation>()(() => ({
    summary: 'Create a payment by Pix, credit card or boleto',
    request: paymentRequest(),
    response: payment(),
  })),
  'payments.boleto': () => ({
    summary: "Get a boleto's PDF",
  }),
};
