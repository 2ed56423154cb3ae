import type { OnboardingPf, OnboardingPj, ResentDocuments } from '../../../src/contract/onboarding/types.js';
import type { CreateSubmerchant, UpdateSubmerchant } from '../../../src/contract/submerchants/types.js';
import type { Numbers } from './numbers.js';
import { type Overrides, withOverrides } from './overrides.js';

/** Onboarding forms. Each person and company has its own document. */
export interface OnboardingSamples {
  /** A natural person with a driver's licence. */
  pf(overrides?: Overrides<OnboardingPf>): OnboardingPf;
  /** A legal entity with the identity card of its representative. */
  pj(overrides?: Overrides<OnboardingPj>): OnboardingPj;
  /** The documents of a second submission. */
  resend(overrides?: Overrides<ResentDocuments>): ResentDocuments;
}

/** The body of POST /v1/submerchants/withdrawals, as the sandbox takes it: the API docs do not show it. */
export interface WithdrawalSample {
  /** UUID of the sub-account. */
  internalId: string;
  /** Cents. */
  amount: number;
}

/** Requests about sub-accounts. */
export interface SubmerchantSamples {
  /** The form of a sub-account with its own CNPJ. */
  create(overrides?: Overrides<CreateSubmerchant>): CreateSubmerchant;
  /** Changes of its registration data. */
  update(overrides?: Overrides<UpdateSubmerchant>): UpdateSubmerchant;
  /** A withdrawal of 5000 cents. */
  withdrawal(internalId: string, overrides?: Overrides<WithdrawalSample>): WithdrawalSample;
}

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

/** The first bytes of a JPEG, so that its type is recognised. */
const photo = () => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...ascii('a sample, not a photo'));

const paper = () => Uint8Array.from(ascii('%PDF-1.7\n% a sample, without pages\n'));

const bankAccount = () => ({
  bankAccountType: 'conta_corrente' as const,
  bankName: 'Banco Exemplo',
  bankCode: '999',
  bankAgency: '0001',
  bankAccount: '123456',
  bankAccountDv: '7',
  ispb: '00000000',
});

export function onboardingSamples(numbers: Numbers): OnboardingSamples {
  return {
    pf: (overrides) =>
      withOverrides<OnboardingPf>(
        {
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
          cnhCompleta: paper(),
          selfie: photo(),
        },
        overrides as Overrides<OnboardingPf>,
      ),
    pj: (overrides) =>
      withOverrides<OnboardingPj>(
        {
          cnpj: numbers.cnpj(),
          representativeCpf: numbers.cpf(),
          representativeName: 'Ana Souza',
          birthDate: '1990-02-28',
          phone: '+551133334444',
          email: 'contato@example.com',
          bankAccount: bankAccount(),
          documentoFrente: photo(),
          documentoVerso: photo(),
          selfie: photo(),
          contratoSocial: paper(),
          cartaoCnpj: paper(),
        },
        overrides,
      ),
    resend: (overrides) =>
      withOverrides<ResentDocuments>({ cnhCompleta: paper(), selfie: photo() }, overrides),
  };
}

export function submerchantSamples(numbers: Numbers): SubmerchantSamples {
  return {
    create: (overrides) =>
      withOverrides<CreateSubmerchant>(
        { documentNumber: numbers.cnpj(), documentType: 'cnpj', phone: '+551133334444' },
        overrides,
      ),
    update: (overrides) =>
      withOverrides<UpdateSubmerchant>(
        {
          url: 'https://shop.example',
          phone: '+5511912345678',
          addressZipCode: '01310100',
          addressStreet: 'Avenida Paulista',
          addressStreetNumber: '1000',
          addressNeighborhood: 'Bela Vista',
          addressCity: 'São Paulo',
          addressState: 'SP',
          addressCountry: 'BR',
        },
        overrides,
      ),
    withdrawal: (internalId, overrides) =>
      withOverrides<WithdrawalSample>({ internalId, amount: 5000 }, overrides),
  };
}
