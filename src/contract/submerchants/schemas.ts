import * as z from 'zod/mini';
import { isTaxDocument, normalizeTaxDocument } from '../brazil.js';
import { isLongInteger } from '../patterns.js';
import { described, normalizedBy, object, text, titled } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type {
  createSubmerchantOperation,
  createWithdrawalOperation,
  retrieveWithdrawalOperation,
  updateSubmerchantOperation,
} from './operations.js';

const withdrawId = () =>
  described(
    { type: 'integer' },
    z.custom<number>(isLongInteger, {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an integer'),
    }),
  );

/** Only `withdraw_id` is documented for this response. The status is assumed to be a withdrawal's. */
const createdStatus = () => described({ description: 'Undocumented for this response.' }, z.string());

export const submerchantSchemas = {
  'submerchants.create': defineSchemas<typeof createSubmerchantOperation>()(() => ({
    summary: 'Create a sub-account',
    request: titled(
      'CreateSubmerchant',
      z.looseObject({
        documentNumber: normalizedBy(
          normalizeTaxDocument,
          z.optional(z.string().check(z.refine(isTaxDocument, 'must be a CPF (11 digits) or a CNPJ (14)'))),
        ),
        documentType: z.optional(z.string()),
        phone: z.optional(z.string()),
      }),
    ),
  })),
  'submerchants.update': defineSchemas<typeof updateSubmerchantOperation>()(() => ({
    summary: "Update a sub-account's registration data",
    request: titled(
      'UpdateSubmerchant',
      z.looseObject({
        url: z.optional(text(255)),
        phone: z.optional(text(20)),
        addressZipCode: z.optional(text(10)),
        addressStreet: z.optional(text(255)),
        addressStreetNumber: z.optional(text(20)),
        addressComplement: z.optional(text(255)),
        addressNeighborhood: z.optional(text(100)),
        addressCity: z.optional(text(100)),
        addressState: z.optional(text(2)),
        addressCountry: z.optional(text(2)),
      }),
    ),
  })),
  'submerchants.withdrawals.create': defineSchemas<typeof createWithdrawalOperation>()(() => ({
    summary: 'Create a withdrawal from a sub-account',
    section: 'Withdrawals',
    request: object,
    response: titled(
      'CreatedWithdrawal',
      z.looseObject({
        withdraw_id: withdrawId(),
        status: z.optional(createdStatus()),
      }),
    ),
  })),
  'submerchants.withdrawals.retrieve': defineSchemas<typeof retrieveWithdrawalOperation>()(() => ({
    summary: 'Read a withdrawal',
    section: 'Withdrawals',
    // Statuses other than pending are undocumented, so they are not reported as drift.
    response: titled('Withdrawal', z.strictObject({ withdraw_id: withdrawId(), status: z.string() })),
  })),
};
