import { z } from 'zod';
import { bankFields } from './bank-account.js';
import { cnpjForm, cpfForm, normalCep, normalTaxDocument } from './brazil.js';
import { type Open, text, uuid } from './common.js';
import type { FormValue } from './forms.js';
import { type Fields, operation, type Rule } from './operation.js';

/** The form of POST /v1/submerchants. Its other fields are not shown: what you add is sent as it is. */
export interface CreateSubmerchant {
  /** CPF or CNPJ, with or without punctuation; a CNPJ may have letters. */
  documentNumber?: string | undefined;
  documentType?: Open<'cnpj' | 'cpf'> | undefined;
  phone?: string | undefined;
  [field: string]: FormValue;
}

/** The body of PATCH /v1/submerchants/{internalId}: only the fields to change. A text may be empty; what that means is undocumented. */
export interface UpdateSubmerchant {
  /** At most 255 characters. */
  url?: string | undefined;
  /** At most 20 characters. */
  phone?: string | undefined;
  /** CEP, with or without the dash; at most 10 characters. */
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

const CreateSubmerchantSchema = z.looseObject({
  documentNumber: z
    .string()
    .refine(
      (value) => cpfForm.test(value) || cnpjForm.test(value),
      'must be a CPF (11 digits) or a CNPJ (14)',
    )
    .optional(),
  documentType: z.string().optional(),
  phone: z.string().optional(),
});

const UpdateSubmerchantSchema = z.looseObject({
  url: text(255).optional(),
  phone: text(20).optional(),
  addressZipCode: text(10).optional(),
  addressStreet: text(255).optional(),
  addressStreetNumber: text(20).optional(),
  addressComplement: text(255).optional(),
  addressNeighborhood: text(100).optional(),
  addressCity: text(100).optional(),
  addressState: text(2).optional(),
  addressCountry: text(2).optional(),
});

const present = (name: string) => (body: Fields) => body[name] !== undefined;

const updateRules: readonly Rule[] = [
  {
    path: ['status'],
    message: 'cannot be changed by this operation',
    broken: present('status'),
  },
  ...bankFields.map((name) => ({
    path: [name],
    message: 'is bank data, which this operation cannot change: the platform has another one for it',
    broken: present(name),
  })),
];

export const createSubmerchant = operation({
  id: 'submerchants.create',
  method: 'POST',
  path: '/v1/submerchants',
  section: 'POST /v1/submerchants',
  encoding: 'multipart',
  idempotencyKey: 'required',
  replay: 'keyed',
  conflict: 'key-reused',
  rateLimit: 'submerchants',
  normal: { documentNumber: normalTaxDocument },
  request: CreateSubmerchantSchema,
  response: 'unspecified',
});

export const updateSubmerchant = operation({
  id: 'submerchants.update',
  method: 'PATCH',
  path: '/v1/submerchants/{internalId}',
  section: 'PATCH /v1/submerchants/{internalId}',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  rateLimit: 'submerchants',
  params: { internalId: uuid },
  normal: { addressZipCode: normalCep },
  request: UpdateSubmerchantSchema,
  rules: updateRules,
  response: 'unspecified',
});
