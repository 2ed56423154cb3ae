import type { OnboardingPf, OnboardingPj, ResentDocuments } from '../../../src/contract/onboarding/types.js';
import type { CreateSubmerchant, UpdateSubmerchant } from '../../../src/contract/submerchants/types.js';
import type { Numbers } from '../../random/numbers.js';
import { sampleCompany, samplePaper, samplePerson, samplePhoto } from '../../sellers/sample-forms.js';
import { type Overrides, withOverrides } from './overrides.js';

/** Onboarding forms. Each person has a unique CPF, and each company a unique CNPJ. */
export interface OnboardingSamples {
  /** An individual with a driver's licence. */
  pf(overrides?: Overrides<OnboardingPf>): OnboardingPf;
  /** A company with the identity card of its representative. */
  pj(overrides?: Overrides<OnboardingPj>): OnboardingPj;
  /** The documents for a second submission. */
  resend(overrides?: Overrides<ResentDocuments>): ResentDocuments;
}

/** The request body that the sandbox expects for POST /v1/submerchants/withdrawals. The API docs show none. */
export interface WithdrawalSample {
  /** UUID of the sub-account. */
  internalId: string;
  /** In cents. */
  amount: number;
}

/** Forms and bodies of requests about sub-accounts. */
export interface SubmerchantSamples {
  /** The form of a sub-account with a unique CNPJ. */
  create(overrides?: Overrides<CreateSubmerchant>): CreateSubmerchant;
  /** Changes of registration data. */
  update(overrides?: Overrides<UpdateSubmerchant>): UpdateSubmerchant;
  /** A withdrawal of 5000 cents. */
  withdrawal(internalId: string, overrides?: Overrides<WithdrawalSample>): WithdrawalSample;
}

export function onboardingSamples(numbers: Numbers): OnboardingSamples {
  return {
    pf: (overrides) =>
      withOverrides<OnboardingPf>(samplePerson(numbers), overrides as Overrides<OnboardingPf>),
    pj: (overrides) => withOverrides<OnboardingPj>(sampleCompany(numbers), overrides),
    resend: (overrides) =>
      withOverrides<ResentDocuments>({ cnhCompleta: samplePaper(), selfie: samplePhoto() }, overrides),
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
