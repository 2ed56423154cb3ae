import { z } from 'zod';
import { isRecord } from '../input/record.js';
import { type Absent, cents, integer, type Open, object } from './common.js';
import { limits } from './limits.js';
import type { Fields, Rule } from './operation.js';

/** The payer (API document, POST /v1/payments). Which of its fields the platform insists on is not shown. */
export interface PaymentCustomer {
  name?: string | undefined;
  email?: string | undefined;
  document?: { number: string; type: Open<'cpf' | 'cnpj'> } | undefined;
}

/** One line of the order. */
export interface PaymentItem {
  title: string;
  quantity: number;
  /** Cents. */
  unitPrice: number;
}

/** Open card data. An approved payment answers with `upsell.token`. */
export interface OpenCard {
  /** The PAN. */
  number: string;
  cvv: string;
  holderName: string;
  expirationMonth: number;
  expirationYear: number;
  installments?: number | undefined;
  cardTokenId?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
  upsellToken?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
}

/** A card of the vault. The body then carries neither PAN nor CVV nor `customer`. */
export interface VaultCard {
  cardTokenId: string;
  number?: Absent<'cardTokenId is sent without a PAN'>;
  cvv?: Absent<'cardTokenId is sent without a CVV'>;
  holderName?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
  upsellToken?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
}

/** The token of an earlier approved open-card payment, valid for 15 minutes. */
export interface UpsellCard {
  upsellToken: string;
  number?: Absent<'upsellToken is sent without a PAN'>;
  cvv?: Absent<'upsellToken is sent without a CVV'>;
  holderName?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
  cardTokenId?: Absent<'one card mode only: open card data, cardTokenId or upsellToken'>;
}

interface CommonPayment {
  /** Your unique order identifier; the payment echoes it as `externalReference`. */
  externalId?: string | undefined;
  /** Cents: an integer from 100 to 15000000. */
  amount: number;
  /** At least one. */
  items: readonly PaymentItem[];
  /**
   * The active sub-account that owns the payment and its split, by CPF or CNPJ. Without it the
   * merchant is the owner. The names inside are assumed: they are not shown.
   */
  subMerchant?: { document: { number: string; type: Open<'cpf' | 'cnpj'> } } | undefined;
  /** Rules that divide the net amount, at least one; passed through as given, their inner names are not shown. */
  split?: readonly object[] | undefined;
  /** The payer's IP address. */
  clientIp?: string | undefined;
  /** The text on the payer's statement. */
  statementDescriptor?: string | undefined;
  /** Free key/value data. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

interface CardPayment extends CommonPayment {
  paymentMethod: 'credit_card';
  pix?: Absent<'pix options go with paymentMethod pix'>;
  boleto?: Absent<'boleto options go with paymentMethod boleto'>;
}

/** A Pix charge. */
export interface PixPayment extends CommonPayment {
  paymentMethod: 'pix';
  customer: PaymentCustomer;
  /** `expiration`: how long the QR code is valid, in seconds. Default 1800. */
  pix?: { expiration?: number };
  boleto?: Absent<'boleto options go with paymentMethod boleto'>;
  card?: Absent<'card goes with paymentMethod credit_card'>;
  wallet?: Absent<'wallet goes with paymentMethod credit_card'>;
  threeDSData?: Absent<'threeDSData goes with paymentMethod credit_card'>;
}

/** A boleto. */
export interface BoletoPayment extends CommonPayment {
  paymentMethod: 'boleto';
  customer?: PaymentCustomer;
  /** `expirationDate`: the due date. Default 30 days from now. Its format is not shown. */
  boleto?: { expirationDate?: string };
  pix?: Absent<'pix options go with paymentMethod pix'>;
  card?: Absent<'card goes with paymentMethod credit_card'>;
  wallet?: Absent<'wallet goes with paymentMethod credit_card'>;
  threeDSData?: Absent<'threeDSData goes with paymentMethod credit_card'>;
}

/** A charge on open card data. */
export interface OpenCardPayment extends CardPayment {
  card: OpenCard;
  customer: PaymentCustomer;
  /** The result of a 3DS authentication, passed through as given. */
  threeDSData?: object;
  /** card and wallet are never sent together. Plain `never`, because it is what tells the card shapes apart. */
  wallet?: never;
}

/** A charge on a card of the vault. */
export interface VaultCardPayment extends CardPayment {
  card: VaultCard;
  customer?: Absent<'customer is not sent with cardTokenId'>;
  /** The result of a 3DS authentication, passed through as given. */
  threeDSData?: object;
  /** card and wallet are never sent together. Plain `never`, because it is what tells the card shapes apart. */
  wallet?: never;
}

/** A one-click charge on the token of an earlier payment. */
export interface UpsellPayment extends CardPayment {
  card: UpsellCard;
  customer?: Absent<'customer is not sent with upsellToken'>;
  threeDSData?: Absent<'threeDSData is not sent with upsellToken'>;
  /** card and wallet are never sent together. Plain `never`, because it is what tells the card shapes apart. */
  wallet?: never;
}

/** An Apple Pay charge. */
export interface WalletPayment extends CardPayment {
  /** The wallet's token, passed through as given: its inner names are not shown. */
  wallet: object;
  customer?: PaymentCustomer;
  threeDSData?: object;
  /** card and wallet are never sent together. */
  card?: never;
}

/** The body of POST /v1/payments: one of six shapes. */
export type CreatePayment =
  | WalletPayment
  | UpsellPayment
  | VaultCardPayment
  | OpenCardPayment
  | BoletoPayment
  | PixPayment;

const openCardFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'] as const;

/** Required text: an empty one is missing. */
const filled = z.string().regex(/\S/, 'must not be empty');

const document = z.looseObject({ number: filled, type: filled });

/** Types and bounds of single fields; what holds between fields is in `createPaymentRules`. */
export const CreatePaymentSchema = z.looseObject({
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
});

const has = (draft: Fields, name: string) => draft[name] !== undefined;

type CardMode = 'open' | 'vault' | 'upsell' | 'mixed';

/** Which of the three modes a card is in; `mixed` when it is in none or in several. */
function cardMode({ card }: Fields): CardMode | undefined {
  if (!isRecord(card)) return undefined;
  const modes: CardMode[] = [];
  if (openCardFields.some((name) => has(card, name))) modes.push('open');
  if (has(card, 'cardTokenId')) modes.push('vault');
  if (has(card, 'upsellToken')) modes.push('upsell');
  return modes.length === 1 ? modes[0] : 'mixed';
}

/** What the API document states about fields that depend on each other (POST /v1/payments). */
export const createPaymentRules: readonly Rule[] = [
  {
    path: ['wallet'],
    message: 'card and wallet are never sent together: send one',
    broken: (payment) => has(payment, 'card') && has(payment, 'wallet'),
  },
  {
    path: ['card'],
    message: 'a credit_card payment needs card or wallet',
    broken: (payment) =>
      payment.paymentMethod === 'credit_card' && !has(payment, 'card') && !has(payment, 'wallet'),
  },
  {
    path: ['wallet'],
    message: 'is valid only with paymentMethod credit_card',
    broken: (payment) => has(payment, 'wallet') && payment.paymentMethod !== 'credit_card',
  },
  ...(['card', 'threeDSData'] as const).map((name) => ({
    path: [name],
    message: 'is valid only with paymentMethod credit_card: card data is sent for a card charge alone',
    broken: (payment: Fields) =>
      has(payment, name) && (payment.paymentMethod === 'pix' || payment.paymentMethod === 'boleto'),
  })),
  ...(['pix', 'boleto'] as const).map((name) => ({
    path: [name],
    message: `is valid only with paymentMethod ${name}`,
    broken: (payment: Fields) => has(payment, name) && payment.paymentMethod !== name,
  })),
  {
    path: ['customer'],
    message: 'is required for a Pix payment',
    broken: (payment) => payment.paymentMethod === 'pix' && !has(payment, 'customer'),
  },
  {
    path: ['card'],
    message:
      'takes exactly one mode: open card data, cardTokenId or upsellToken, never mixed (a PAN or CVV is not sent with a token)',
    broken: (payment) => cardMode(payment) === 'mixed',
  },
  {
    path: ['customer'],
    message: 'is required for an open-card payment',
    broken: (payment) =>
      payment.paymentMethod !== 'pix' && cardMode(payment) === 'open' && !has(payment, 'customer'),
  },
  {
    path: ['customer'],
    message: 'must be absent for a vault-token payment (cardTokenId)',
    broken: (payment) => cardMode(payment) === 'vault' && has(payment, 'customer'),
  },
  {
    path: ['customer'],
    message: 'must be absent for an upsell-token payment (upsellToken)',
    broken: (payment) => cardMode(payment) === 'upsell' && has(payment, 'customer'),
  },
  {
    path: ['threeDSData'],
    message: 'must be absent for an upsell-token payment (upsellToken)',
    broken: (payment) => cardMode(payment) === 'upsell' && has(payment, 'threeDSData'),
  },
  ...openCardFields.map((name) => ({
    path: ['card', name],
    message: 'is required for an open-card payment',
    broken: (payment: Fields) => cardMode(payment) === 'open' && !has(payment.card as Fields, name),
  })),
];
