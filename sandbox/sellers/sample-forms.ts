import type { OnboardingPf, OnboardingPj } from '../../src/contract/onboarding/types.js';
import type { Numbers } from '../random/numbers.js';

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

/** The first bytes of a JPEG, so that the type is recognised. */
export const samplePhoto = () => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...ascii('a sample, not a photo'));

export const samplePaper = () => Uint8Array.from(ascii('%PDF-1.7\n% a sample, without pages\n'));

const bankAccount = () => ({
  bankAccountType: 'conta_corrente' as const,
  bankName: 'Banco Exemplo',
  bankCode: '999',
  bankAgency: '0001',
  bankAccount: '123456',
  bankAccountDv: '7',
  ispb: '00000000',
});

export const samplePerson = (numbers: Numbers): OnboardingPf => ({
  document: numbers.cpf(),
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
  bankAccount: bankAccount(),
  cnhCompleta: samplePaper(),
  selfie: samplePhoto(),
});

export const sampleCompany = (numbers: Numbers): OnboardingPj => ({
  cnpj: numbers.cnpj(),
  representativeCpf: numbers.cpf(),
  representativeName: 'Ana Souza',
  birthDate: '1990-02-28',
  phone: '+551133334444',
  email: 'contato@example.com',
  bankAccount: bankAccount(),
  documentoFrente: samplePhoto(),
  documentoVerso: samplePhoto(),
  selfie: samplePhoto(),
  contratoSocial: samplePaper(),
  cartaoCnpj: samplePaper(),
});
