import { z } from 'zod';
import { cents, integer, type Open, object, uuid } from './common.js';
import { operation } from './operation.js';
import { CreatePaymentSchema, createPaymentRules } from './payment-request.js';

/** Whether `chargedback`, `cancelled` and `expired` occur here too is not shown; other strings pass. */
export type PaymentStatus = Open<'waiting_payment' | 'paid' | 'refused' | 'refunded' | 'in_analysis'>;

export type PaymentMethod = Open<'pix' | 'credit_card' | 'boleto'>;

/** The payer as the platform stores it: unknown values are null. */
export interface StoredCustomer {
  name: string | null;
  email: string | null;
  phone: string | null;
  documentNumber: string | null;
  documentType: string | null;
  address: {
    zipCode: string | null;
    street: string | null;
    streetNumber: string | null;
    neighborhood: string | null;
    city: string | null;
    state: string | null;
    country: string | null;
  } | null;
}

/** A payment (API document, Payment). Fields that the document does not show are kept as they come. */
export interface Payment {
  /** UUID. */
  id: string;
  status: PaymentStatus;
  /** Cents. */
  amount: number;
  paymentMethod: PaymentMethod;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The `externalId` of the request. */
  externalReference?: string;
  /** For card payments when both are stored; for Apple Pay also `wallet.type`. Never PAN, CVV, holder or expiry. */
  card?: { brand?: string; last4?: string; wallet?: { type?: string } };
  customer?: StoredCustomer;
  items?: { title: string; quantity: number; unitPrice: number }[];
  /**
   * Only on an approved open-card payment, and then best effort: without it the payment has not
   * failed. Valid for 15 minutes as `card.upsellToken` of a later payment.
   */
  upsell?: { token: string };
  /** In notifications about boleto payments. */
  boleto?: { digitableLine?: string };
  /** Only when `status` is `refused`. Assumed name; its shape is not shown. */
  refusalReason?: unknown;
  /** Public data of the owner sub-account. Assumed name; its shape is not shown. */
  subMerchant?: unknown;
  /** What each receiver gets, in cents. Assumed name; its shape is not shown. */
  split?: unknown;
}

/** A file with the content type it came with. */
export interface BoletoFile {
  bytes: Uint8Array;
  contentType: string;
}

const nullableText = z.string().nullable();

/** Those that are shown, and those of which only the events are: whether the API returns them is open. */
const statuses = [
  ...['waiting_payment', 'paid', 'refused', 'refunded', 'in_analysis'],
  ...['chargedback', 'cancelled', 'expired'],
];

/** Exact, because it throws nothing: it only tells `onDrift` where the platform has moved on. */
export const PaymentSchema = z.strictObject({
  id: uuid,
  status: z.enum(statuses).meta({
    description:
      'Events of chargedback, cancelled and expired exist; whether they are statuses is not shown.',
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
});

export const createPayment = operation({
  id: 'payments.create',
  method: 'POST',
  path: '/v1/payments',
  section: 'POST /v1/payments',
  encoding: 'json',
  idempotencyKey: 'optional',
  replay: 'keyed',
  conflict: 'outcome-unknown',
  names: 'payment',
  // Compiled: a quarter of the time. What does not fit is parsed again, for the same issues.
  request: z.compile(CreatePaymentSchema),
  rules: createPaymentRules,
  response: z.compile(PaymentSchema),
});

export const paymentBoleto = operation({
  id: 'payments.boleto',
  method: 'GET',
  path: '/v1/payments/{id}/boleto',
  section: 'GET /v1/payments/{id}/boleto',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  response: 'file',
});
