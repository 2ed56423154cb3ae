import type { Absent, Open } from '../types.js';

/** The customer (API docs, POST /v1/payments). The API docs do not say which fields the platform requires. */
export interface PaymentCustomer {
  /** The customer's name. Its limit is undocumented. */
  name?: string | undefined;
  /** The customer's e-mail address. */
  email?: string | undefined;
  /** The document's `number` (a CPF or CNPJ) and its `type`. The API docs show only `cpf`. */
  document?:
    | {
        /** The digits of the CPF or CNPJ, with or without punctuation. */
        number?: string | undefined;
        /** `cpf` for a person, `cnpj` for a company. */
        type?: Open<'cpf' | 'cnpj'> | undefined;
      }
    | undefined;
}

/** One of the order's items. */
export interface PaymentItem {
  /** The item's name. Its maximum length is undocumented. */
  title: string;
  /** The number of units, as an integer. */
  quantity: number;
  /** The price of one unit, in cents. */
  unitPrice: number;
}

/** Raw card data. An approved payment's response can contain `upsell.token`. */
export interface OpenCard {
  /** The PAN. */
  number: string;
  /** The security code, as a string. */
  cvv: string;
  /** The holder's name, as on the card. */
  holderName: string;
  /** The card's expiration month, as an integer. */
  expirationMonth: number;
  /**
   * The card's expiration year, as an integer with 4 digits. The API docs do not state the number of digits,
   * so the check `card.values` can be turned off.
   */
  expirationYear: number;
  /** The number of instalments, as an integer. The limit and the default are undocumented. */
  installments?: number | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  cardTokenId?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  upsellToken?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
}

/** A card from the vault. A payment with a vault card contains no PAN, CVV or `customer`. */
export interface VaultCard {
  /** The token that `vault.tokenize` returned. */
  cardTokenId: string;
  /**
   * The number of instalments, as an integer. The API docs list the field only for raw card data, and do not
   * say whether it applies here.
   */
  installments?: number | undefined;
  /** Leave this out, because `cardTokenId` is sent without a PAN. */
  number?: Absent<'cardTokenId is sent without a PAN'> | undefined;
  /** Leave this out, because `cardTokenId` is sent without a CVV. */
  cvv?: Absent<'cardTokenId is sent without a CVV'> | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  holderName?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  upsellToken?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
}

/** The token of an earlier approved payment with raw card data. The token is valid for 15 minutes. */
export interface UpsellCard {
  /** The `upsell.token` of the earlier payment. */
  upsellToken: string;
  /**
   * The number of instalments, as an integer. The API docs list the field only for raw card data, and do not
   * say whether it applies here.
   */
  installments?: number | undefined;
  /** Leave this out, because `upsellToken` is sent without a PAN. */
  number?: Absent<'upsellToken is sent without a PAN'> | undefined;
  /** Leave this out, because `upsellToken` is sent without a CVV. */
  cvv?: Absent<'upsellToken is sent without a CVV'> | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  holderName?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
  /** Leave this out. A card payment uses either raw card data, `cardTokenId` or `upsellToken`. */
  cardTokenId?: Absent<'raw card data, cardTokenId or upsellToken, and only one of them'> | undefined;
}

interface CommonPayment {
  /** Your unique order identifier, which the API returns in the payment as `externalReference`. */
  externalId?: string | undefined;
  /** The amount in cents, an integer from 100 to 15000000. */
  amount: number;
  /** The order's items, at least one. */
  items: readonly PaymentItem[];
  /**
   * The active sub-account, identified by its CPF or CNPJ, that owns the payment and the split. Without
   * `subMerchant`, the merchant is the owner. The names of the inner fields are undocumented, so the SDK
   * assumes them.
   */
  subMerchant?:
    | {
        /** The CPF or CNPJ of the owner. */
        document: {
          /** The digits of the CPF or CNPJ, with or without punctuation. */
          number: string;
          /** `cpf` for a person, `cnpj` for a company. */
          type: Open<'cpf' | 'cnpj'>;
        };
      }
    | undefined;
  /**
   * One or more rules that divide the net amount. The names of the rules' fields are undocumented, so the SDK
   * sends the rules unchanged.
   */
  split?: readonly object[] | undefined;
  /** The customer's IP address. */
  clientIp?: string | undefined;
  /** The description on the customer's statement. */
  statementDescriptor?: string | undefined;
  /** Your own key/value data. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

interface CardPayment extends CommonPayment {
  /** Always `credit_card`, even for a wallet. */
  paymentMethod: 'credit_card';
}

// This type is an intersection, so that TypeScript 7 names `paymentMethod` before `wallet` in the error for
// an order of another shape.
/** An Apple Pay charge. */
export type WalletPayment = CardPayment & WalletFields;

interface WalletFields {
  /** The wallet's token. The names of its fields are undocumented, so the SDK sends the token unchanged. */
  wallet: object;
  /** The customer. The API docs do not say whether a wallet charge requires one. */
  customer?: PaymentCustomer | undefined;
  /** The result of a 3DS authentication. You do not need this field if the wallet provides a cryptogram. */
  threeDSData?: object | undefined;
  /** Leave this out. A payment has either `card` or `wallet`. */
  card?: undefined;
}

/** A one-click charge with the token of an earlier payment. */
export interface UpsellPayment extends CardPayment {
  /** The card of an earlier payment, identified by its token. */
  card: UpsellCard;
  /** Leave this out, because `upsellToken` is sent without a customer. */
  customer?: Absent<'customer is not sent with upsellToken'> | undefined;
  /** Leave this out, because `upsellToken` is sent without a 3DS result. */
  threeDSData?: Absent<'threeDSData is not sent with upsellToken'> | undefined;
  /** Leave this out. A payment has either `card` or `wallet`. */
  wallet?: undefined;
}

/** A charge to a vault card. */
export interface VaultCardPayment extends CardPayment {
  /** The vault card, identified by its token. */
  card: VaultCard;
  /** Leave this out, because a payment with `cardTokenId` contains no customer. */
  customer?: Absent<'customer is not sent with cardTokenId'> | undefined;
  /** The 3DS authentication result, which the SDK sends unchanged. */
  threeDSData?: object | undefined;
  /** Leave this out. A payment has either `card` or `wallet`. */
  wallet?: undefined;
}

/** A charge with raw card data. */
export interface OpenCardPayment extends CardPayment {
  /** The card's data: PAN, CVV, holder and expiry. */
  card: OpenCard;
  /** The customer of a charge with raw card data. */
  customer: PaymentCustomer;
  /** The 3DS authentication result, which the SDK sends unchanged. */
  threeDSData?: object | undefined;
  /** Leave this out. A payment has either `card` or `wallet`. */
  wallet?: undefined;
}

/** A Pix charge. */
export interface PixPayment extends CommonPayment {
  /** Always `pix`. A Pix payment requires a `customer` and has no card data. */
  paymentMethod: 'pix';
  /** The customer. */
  customer: PaymentCustomer;
  /** `expiration`: how long the QR code is valid, in seconds. Default 1800. */
  pix?:
    | {
        /** How long the QR code is valid, in seconds. Default 1800. */
        expiration?: number | undefined;
      }
    | undefined;
}

/** A boleto. */
export interface BoletoPayment extends CommonPayment {
  /** Always `boleto`. A boleto has no card data. */
  paymentMethod: 'boleto';
  /** The customer. The API docs do not say whether a boleto requires one. */
  customer?: PaymentCustomer | undefined;
  /** `expirationDate`: the due date. The default is 30 days from now. The date's format is undocumented. */
  boleto?:
    | {
        /** The due date. The default is 30 days from now. */
        expirationDate?: string | undefined;
      }
    | undefined;
}

// For a mismatch, TypeScript 5 reports the errors of the last shape. The boleto is last, because it requires
// little except `paymentMethod`.
/** The body of POST /v1/payments: one shape for each payment method, and several for cards. */
export type CreatePayment =
  | WalletPayment
  | UpsellPayment
  | VaultCardPayment
  | OpenCardPayment
  | PixPayment
  | BoletoPayment;

/**
 * The status of a payment. The type also allows other strings. The API docs do not say whether `chargedback`,
 * `cancelled` and `expired` are statuses.
 */
export type PaymentStatus = Open<'waiting_payment' | 'paid' | 'refused' | 'refunded' | 'in_analysis'>;

export type PaymentMethod = Open<'pix' | 'credit_card' | 'boleto'>;

/** The customer, as stored by the platform. Unknown values are null. */
export interface StoredCustomer {
  /** The customer's name, or null. */
  name: string | null;
  /** The customer's e-mail address, or null. */
  email: string | null;
  /** The customer's phone number, or null. Its format is undocumented. */
  phone: string | null;
  /** The customer's CPF or CNPJ, or null. */
  documentNumber: string | null;
  /** The type of `documentNumber`, or null. Its values are undocumented. */
  documentType: string | null;
  /** The customer's address, or null. Address fields with unknown values are null. */
  address: {
    /** CEP, or null. Its format is undocumented. */
    zipCode: string | null;
    /** Street, or null. */
    street: string | null;
    /** House number, or null. */
    streetNumber: string | null;
    /** Neighborhood (bairro), or null. */
    neighborhood: string | null;
    /** City, or null. */
    city: string | null;
    /** State, or null. Its format is undocumented. */
    state: string | null;
    /** Country, or null. Its format is undocumented. */
    country: string | null;
  } | null;
}

/** A payment (API docs, Payment). The SDK keeps undocumented fields unchanged. */
export interface Payment {
  /** The payment's UUID. */
  id: string;
  /** `waiting_payment`, `paid`, `refused`, `refunded`, `in_analysis`, or another string. */
  status: PaymentStatus;
  /** The amount, in cents. */
  amount: number;
  /** `pix`, `credit_card` (also for a wallet) or `boleto`. */
  paymentMethod: PaymentMethod;
  /** When the payment was created, in ISO 8601, UTC. */
  createdAt: string;
  /** The request's `externalId`. */
  externalReference?: string;
  /**
   * For card payments: the brand and last four digits, if both are stored, plus `wallet.type` for Apple Pay.
   * The field never contains the PAN, CVV, holder or expiry.
   */
  card?: {
    /** The brand. Its values are undocumented. */
    brand?: string;
    /** The last four digits. */
    last4?: string;
    /** Documented for Apple Pay only. */
    wallet?: {
      /** The wallet's type. Its values are undocumented. */
      type?: string;
    };
  };
  /** The customer as stored, if available. */
  customer?: StoredCustomer;
  /** The order's items, with `unitPrice` in cents. */
  items?: {
    /** The product's name. */
    title: string;
    /** The number of units. */
    quantity: number;
    /** Cents per unit. */
    unitPrice: number;
  }[];
  /**
   * The token for a one-click charge. Only approved payments with raw card data can have this token. The
   * platform does not always issue a token, so a missing token does not mean that the payment failed. For 15
   * minutes, you can use the token as `card.upsellToken` in a later payment.
   */
  upsell?: {
    /** Pass this as `card.upsellToken` within 15 minutes. */
    token: string;
  };
  /**
   * The boleto's number (linha digitável), without a URL or a barcode. Present in notifications about boleto
   * payments. To get the PDF, call `payments.boleto(id)`.
   */
  boleto?: {
    /** The line that the customer types (linha digitável). */
    digitableLine?: string;
  };
  /**
   * Why the payment was declined. Present only if `status` is `refused`. The name is assumed, and the inner
   * fields are undocumented.
   */
  refusalReason?: Readonly<Record<string, unknown>>;
  /**
   * The platform's data for a Pix payment, such as its code. The name is assumed, and the inner fields are
   * undocumented.
   */
  pix?: Readonly<Record<string, unknown>>;
  /**
   * Public data about the sub-account that owns the payment. The name is assumed, and the inner fields are
   * undocumented.
   */
  subMerchant?: Readonly<Record<string, unknown>>;
  /** The share of each receiver, in cents. The name is assumed, and the inner fields are undocumented. */
  split?: Readonly<Record<string, unknown>>;
}

/** A boleto's file, with the response's content type. */
export interface BoletoFile {
  /** The response's body, unchanged: a PDF, or the page or JSON that the platform sent instead. */
  bytes: Uint8Array;
  /** The response's media type, or `application/octet-stream` if the response has none. */
  contentType: string;
}
