import type { BankAccount, OnboardingPf } from 'payment-platform';

/** Builds a file's first bytes as cameras and scanners write them, followed by other bytes. */
const file = (...head: number[]) =>
  Uint8Array.from([...head, ...Array.from({ length: 200 }, (_, index) => index)]);
const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

export const jpeg = file(0xff, 0xd8, 0xff, 0xe0);
export const png = file(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
export const pdf = file(...ascii('%PDF-1.7\n'));
export const heic = file(0, 0, 0, 24, ...ascii('ftypheic'));
export const webp = file(...ascii('RIFF'), 1, 2, 3, 4, ...ascii('WEBP'));

export const bankAccount: BankAccount = {
  bankAccountType: 'conta_corrente',
  bankName: 'Banco do Brasil',
  bankCode: '001',
  bankAgency: '1234',
  bankAccount: '567890',
  bankAccountDv: 'X',
  ispb: '00000000',
};

/** A natural person with a driver's licence. */
export const pf = {
  document: '12345678909',
  fullName: 'Ana Souza',
  birthDate: '1990-02-28',
  email: 'ana@example.com',
  phone: '+5511912345678',
  addressZipCode: '01310100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  bankAccount,
  cnhCompleta: pdf,
  selfie: jpeg,
} satisfies OnboardingPf;
