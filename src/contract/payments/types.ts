import type { Absent, Open } from '../types.js';

/** The payer (API document, POST /v1/payments). Which fields the platform requires is undocumented. */
export interface PaymentCustomer {
  name?: string | undefined;
  email?: string | undefined;
  document?: { number: string; type: Open<'cpf' | 'cnpj'> } | undefined;
}

/** One item of the order. */
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
   * merchant is the owner. The names inside are undocumented, so they are assumed.
   */
  subMerchant?: { document: { number: string; type: Open<'cpf' | 'cnpj'> } } | undefined;
  /** Rules that divide the net amount, at least one. Sent as given: the names inside are undocumented. */
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
}

/** A Pix charge. */
export interface PixPayment extends CommonPayment {
  paymentMethod: 'pix';
  customer: PaymentCustomer;
  /** `expiration`: seconds for which the QR code is valid. Default 1800. */
  pix?: { expiration?: number };
}

/** A boleto. */
export interface BoletoPayment extends CommonPayment {
  paymentMethod: 'boleto';
  customer?: PaymentCustomer;
  /** `expirationDate`: the due date. Default 30 days from now. Its format is undocumented. */
  boleto?: { expirationDate?: string };
}

/** A charge on open card data. */
export interface OpenCardPayment extends CardPayment {
  card: OpenCard;
  customer: PaymentCustomer;
  /** The result of a 3DS authentication, passed through as given. */
  threeDSData?: object;
  /** card and wallet are never sent together. Plain `never`, because it distinguishes the card shapes. */
  wallet?: never;
}

/** A charge on a card of the vault. */
export interface VaultCardPayment extends CardPayment {
  card: VaultCard;
  customer?: Absent<'customer is not sent with cardTokenId'>;
  /** The result of a 3DS authentication, passed through as given. */
  threeDSData?: object;
  /** card and wallet are never sent together. Plain `never`, because it distinguishes the card shapes. */
  wallet?: never;
}

/** A one-click charge on the token of an earlier payment. */
export interface UpsellPayment extends CardPayment {
  card: UpsellCard;
  customer?: Absent<'customer is not sent with upsellToken'>;
  threeDSData?: Absent<'threeDSData is not sent with upsellToken'>;
  /** card and wallet are never sent together. Plain `never`, because it distinguishes the card shapes. */
  wallet?: never;
}

/** An Apple Pay charge. */
export interface WalletPayment extends CardPayment {
  /** The wallet's token. Sent as given: the names inside are undocumented. */
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

/** Other strings are accepted too. Whether `chargedback`, `cancelled` and `expired` are also statuses is undocumented. */
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

/** A payment (API document, Payment). Undocumented fields are kept as they come. */
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
  /** For card payments: brand and last four digits, if both are stored; for Apple Pay also `wallet.type`. Never PAN, CVV, holder or expiry. */
  card?: { brand?: string; last4?: string; wallet?: { type?: string } };
  customer?: StoredCustomer;
  items?: { title: string; quantity: number; unitPrice: number }[];
  /**
   * Only on an approved open-card payment, and even then not always: its absence does not mean that the
   * payment failed. Valid for 15 minutes as `card.upsellToken` of a later payment.
   */
  upsell?: { token: string };
  /** In notifications about boleto payments. */
  boleto?: { digitableLine?: string };
  /** Only if `status` is `refused`. Assumed name; its shape is undocumented. */
  refusalReason?: unknown;
  /** Public data of the owner sub-account. Assumed name; its shape is undocumented. */
  subMerchant?: unknown;
  /** What each receiver gets, in cents. Assumed name; its shape is undocumented. */
  split?: unknown;
}

/** A file with the content type of the answer. */
export interface BoletoFile {
  bytes: Uint8Array;
  contentType: string;
}
