import { z } from 'zod';
import { cnpjForm, cpfForm } from '../brazil.js';
import { object, text } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type {
  createSubmerchant,
  createWithdrawal,
  retrieveWithdrawal,
  updateSubmerchant,
} from './operations.js';

/** An integer; beyond 2^53, where a number would be another one, the text of its digits. */
const withdrawId = () =>
  z
    .custom<number>(
      (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,30}$/.test(value)),
      'must be an integer',
    )
    .meta({ type: 'integer' });

/** Only `withdraw_id` is documented for this answer; that it has the status of a withdrawal is assumed. */
const createdStatus = () => z.string().meta({ description: 'Undocumented for this answer.' });

export const submerchantSchemas = {
  'submerchants.create': schemasFor<typeof createSubmerchant>()(() => ({
    request: z
      .looseObject({
        documentNumber: z
          .string()
          .refine(
            (value) => cpfForm.test(value) || cnpjForm.test(value),
            'must be a CPF (11 digits) or a CNPJ (14)',
          )
          .optional(),
        documentType: z.string().optional(),
        phone: z.string().optional(),
      })
      .meta({ title: 'CreateSubmerchant' }),
  })),
  'submerchants.update': schemasFor<typeof updateSubmerchant>()(() => ({
    request: z
      .looseObject({
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
      })
      .meta({ title: 'UpdateSubmerchant' }),
  })),
  'submerchants.withdrawals.create': schemasFor<typeof createWithdrawal>()(() => ({
    request: object,
    response: z
      .looseObject({ withdraw_id: withdrawId(), status: createdStatus().optional() })
      .meta({ title: 'CreatedWithdrawal' }),
  })),
  'submerchants.withdrawals.retrieve': schemasFor<typeof retrieveWithdrawal>()(() => ({
    // Other statuses than pending are undocumented: none of them is a departure.
    response: z.strictObject({ withdraw_id: withdrawId(), status: z.string() }).meta({ title: 'Withdrawal' }),
  })),
};
