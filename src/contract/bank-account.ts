import { z } from 'zod';
import { filledText } from './common.js';

/** A bank account (API document, Bank account object). Every field is required, and all are strings. */
export interface BankAccount {
  bankAccountType: 'conta_corrente' | 'conta_poupanca';
  /** At most 100 characters. */
  bankName: string;
  /** The COMPE code: 3 digits. */
  bankCode: string;
  /** At most 20 characters. */
  bankAgency: string;
  /** The account number, at most 30 characters. */
  bankAccount: string;
  /** The check digit, at most 5 characters. */
  bankAccountDv: string;
  /** 8 digits. */
  ispb: string;
}

export const BankAccountSchema = z.looseObject({
  bankAccountType: z.enum(['conta_corrente', 'conta_poupanca']),
  bankName: filledText(100),
  bankCode: z.string().regex(/^\d{3}$/, 'must be 3 digits'),
  bankAgency: filledText(20),
  bankAccount: filledText(30),
  bankAccountDv: filledText(5),
  ispb: z.string().regex(/^\d{8}$/, 'must be 8 digits'),
});

/** The fields of a bank account, to recognise them where they do not belong. */
export const bankFields: readonly string[] = Object.keys(BankAccountSchema.shape);
