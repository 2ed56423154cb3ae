import type { FormValue } from '../forms.js';
import type { Open } from '../types.js';

/**
 * The form of POST /v1/submerchants. Other fields are undocumented. If you add any, the SDK also sends them.
 */
export interface CreateSubmerchant {
  /** The CPF or CNPJ, with or without punctuation. A CNPJ can contain letters. */
  documentNumber?: string | undefined;
  /** The type of the document: `cnpj`, or `cpf`, which the API docs do not show. */
  documentType?: Open<'cnpj' | 'cpf'> | undefined;
  /** The phone number, sent unchanged, because its format is undocumented. */
  phone?: string | undefined;
  [field: string]: FormValue;
}

/**
 * The body of PATCH /v1/submerchants/{internalId}, with only the fields that you want to change. You can send
 * an empty string, but its effect is undocumented.
 */
export interface UpdateSubmerchant {
  /** The URL, at most 255 characters. */
  url?: string | undefined;
  /** The phone number, at most 20 characters. */
  phone?: string | undefined;
  /** The CEP, at most 10 characters, sent unchanged. */
  addressZipCode?: string | undefined;
  /** The street, at most 255 characters. */
  addressStreet?: string | undefined;
  /** The street number, at most 20 characters. */
  addressStreetNumber?: string | undefined;
  /** Address details, such as an apartment number (complemento), at most 255 characters. */
  addressComplement?: string | undefined;
  /** The neighbourhood, at most 100 characters. */
  addressNeighborhood?: string | undefined;
  /** The city, at most 100 characters. */
  addressCity?: string | undefined;
  /** The state (UF), 2 characters. */
  addressState?: string | undefined;
  /** The country, as an ISO alpha-2 code. */
  addressCountry?: string | undefined;
}

/** A withdrawal from a sub-account (API docs, Withdrawal). */
export interface Withdrawal {
  /**
   * The withdrawal's id, which is an integer, not a UUID. An integer above 2^53 is returned as a string of
   * digits, and `retrieve` accepts this string.
   */
  withdraw_id: number;
  /** The withdrawal's status. Values other than `pending` are undocumented. */
  status: Open<'pending'>;
}

/**
 * The response to POST /v1/submerchants/withdrawals. The API docs say that the call "returns a numeric
 * withdraw_id", but do not show the response's shape, so the field might be missing. If it is missing, look
 * at the other fields.
 */
export interface CreatedWithdrawal {
  /**
   * The withdrawal's id, which is an integer, not a UUID. An integer above 2^53 is returned as a string of
   * digits, and `retrieve` accepts this string.
   */
  withdraw_id?: number;
  /** The response, such as a bare number, if it is neither an object nor a list. */
  value?: unknown;
  /** The withdrawal's status, such as `pending`. Undocumented for this response. */
  status?: Open<'pending'>;
  [field: string]: unknown;
}
