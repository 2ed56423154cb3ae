import type { BankAccount } from './types.js';

const fields: { readonly [Name in keyof BankAccount]: true } = {
  bankAccountType: true,
  bankName: true,
  bankCode: true,
  bankAgency: true,
  bankAccount: true,
  bankAccountDv: true,
  ispb: true,
};

/** The fields of a bank account, to refuse them in other bodies. */
export const bankFields: readonly string[] = Object.keys(fields);
