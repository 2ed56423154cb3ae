import type { FormValue } from '../forms.js';
import type { Open } from '../types.js';

/**
 * The form of POST /v1/submerchants. Other fields are undocumented. The SDK sends fields that you add
 * unchanged.
 */
export interface CreateSubmerchant {
  /** CPF or CNPJ, with or without punctuation. A CNPJ can contain letters. */
  documentNumber?: string | undefined;
  /** The type of the document: `cnpj`, or `cpf`, which the API docs do not show. */
  documentType?: Open<'cnpj' | 'cpf'> | undefined;
  /** The phone number, sent unchanged, because its format is undocumented. */
  phone?: string | undefined;
  [field: string]: FormValue;
}

/**
 * The body of PATCH /v1/submerchants/{internalId}, with only the fields to change. A string can be empty, but
 * the effect is undocumented.
 */
export interface UpdateSubmerchant {
  /** At most 255 characters. */
  url?: string | undefined;
  /** At most 20 characters. */
  phone?: string | undefined;
  /** The CEP, at most 10 characters, sent unchanged. */
  addressZipCode?: string | undefined;
  /** At most 255 characters. */
  addressStreet?: string | undefined;
  /** At most 20 characters. */
  addressStreetNumber?: string | undefined;
  /** At most 255 characters. */
  addressComplement?: string | undefined;
  /** At most 100 characters. */
  addressNeighborhood?: string | undefined;
  /** At most 100 characters. */
  addressCity?: string | undefined;
  /** The UF, 2 characters. */
  addressState?: string | undefined;
  /** ISO alpha-2. */
  addressCountry?: string | undefined;
}

/** A withdrawal of a sub-account (API docs, Withdrawal). */
export interface Withdrawal {
  /**
   * An integer, not a UUID. An integer beyond 2^53 is returned as a string of digits, which `retrieve`
   * accepts.
   */
  withdraw_id: number;
  /** Values other than `pending` are undocumented. */
  status: Open<'pending'>;
}

/**
 * The response to POST /v1/submerchants/withdrawals. The API docs say that the call "returns a numeric
 * withdraw_id", but do not show the response's shape, so the field might be missing. In that case, look at
 * the other fields.
 */
export interface CreatedWithdrawal {
  /**
   * An integer, not a UUID. An integer beyond 2^53 is returned as a string of digits, which `retrieve`
   * accepts.
   */
  withdraw_id?: number;
  /** The response if it is neither an object nor a list, such as a bare number. */
  value?: unknown;
  /** The withdrawal's status, such as `pending`. Undocumented for this response. */
  status?: Open<'pending'>;
  [field: string]: unknown;
}
