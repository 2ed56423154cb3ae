import type { FileInput } from '../forms.js';
import type { Absent, Open } from '../types.js';

interface Selfie {
  /** A photo of the holder's face. */
  selfie: FileInput;
  /** Leave this out, and use `selfie` instead. */
  selfieComDocumento?: Absent<'Use selfie'> | undefined;
}

/** The front and back of the identity card (RG, CIN). */
export interface IdentityCard {
  /** The front of the card. */
  documentoFrente: FileInput;
  /** The back of the card. */
  documentoVerso: FileInput;
  /** The full driver's licence. You do not need it if you send the identity card. */
  cnhCompleta?: FileInput | undefined;
}

/** The full driver's licence (CNH) instead of the identity card. */
export interface DriversLicence {
  /** The full licence. */
  cnhCompleta: FileInput;
  /** The front of the identity card. You do not need it if you send the driver's licence. */
  documentoFrente?: FileInput | undefined;
  /** The back of the identity card. You do not need it if you send the driver's licence. */
  documentoVerso?: FileInput | undefined;
}

interface NaturalPerson extends Selfie {
  /** The CPF, with or without punctuation. */
  document: string;
  /** The full name, at most 255 characters. */
  fullName: string;
  /** The date of birth, as YYYY-MM-DD. */
  birthDate: string;
  /** The e-mail address, at most 255 characters. */
  email?: string | undefined;
  /**
   * E.164 with its plus sign, with or without punctuation: `+55 11 91234-5678`. The SDK never adds a country
   * code.
   */
  phone: string;
  /** The CEP, at most 10 characters, sent unchanged. */
  addressZipCode: string;
  /** The street, at most 255 characters. */
  addressStreet: string;
  /** The street number, at most 20 characters. */
  addressNumber: string;
  /** Address details, such as an apartment number (complemento), at most 255 characters. It can be empty. */
  addressComplement?: string | undefined;
  /** The neighbourhood, at most 100 characters. */
  addressNeighborhood: string;
  /** The city, at most 100 characters. */
  addressCity: string;
  /** The state (UF), 2 characters. */
  addressState: string;
  /** The bank account, which the SDK sends as a JSON string. */
  bankAccount: BankAccount;
}

/**
 * The form of POST /v2/submerchants/onboarding/pf, with the identity card (front and back) or the full
 * driver's licence. An empty required string counts as missing, and a file of 0 bytes is rejected.
 */
export type OnboardingPf = NaturalPerson & (IdentityCard | DriversLicence);

/**
 * The form of POST /v2/submerchants/onboarding/pj. The API docs do not state which fields are required and
 * which documents are alternatives, so no field is required here.
 */
export interface OnboardingPj extends Partial<Selfie> {
  /** The CNPJ, with or without punctuation: 14 digits, or letters and digits (since July 2026). */
  cnpj?: string | undefined;
  /** The representative's CPF, with or without punctuation. */
  representativeCpf?: string | undefined;
  /** The representative's full name. Its maximum length is undocumented. */
  representativeName?: string | undefined;
  /** The date of birth, as YYYY-MM-DD. */
  birthDate?: string | undefined;
  /** The phone number in E.164 format, including the plus sign, with or without punctuation. */
  phone?: string | undefined;
  /** The contact e-mail address. */
  email?: string | undefined;
  /** The bank account, which the SDK sends as a JSON string. */
  bankAccount?: BankAccount | undefined;
  /** The front of an identity card (RG, CIN). */
  documentoFrente?: FileInput | undefined;
  /** The back of the identity card. */
  documentoVerso?: FileInput | undefined;
  /** The full driver's licence (CNH). */
  cnhCompleta?: FileInput | undefined;
  /** The company's articles of association. */
  contratoSocial?: FileInput | undefined;
  /** The company's CNPJ card. */
  cartaoCnpj?: FileInput | undefined;
}

/** The files of POST /v2/submerchants/onboarding/{registrationId}/resend-documents. */
export interface ResentDocuments extends Partial<Selfie> {
  /** The front of the identity card (RG, CIN). */
  documentoFrente?: FileInput | undefined;
  /** The back of the identity card. */
  documentoVerso?: FileInput | undefined;
  /** The full driver's licence (CNH). */
  cnhCompleta?: FileInput | undefined;
}

/** The response to a submission or a resend (API docs, Onboarding registration). */
export interface OnboardingRegistration {
  /** The registration's UUID. Pass it to `onboarding.status`. */
  registration_id: string;
  /** The registration's status. Values other than `submitted` are undocumented. */
  status: Open<'submitted'>;
}

/** The response to GET /v2/submerchants/onboarding/{registrationId}/status. */
export interface OnboardingStatus {
  /** You can resend documents only if this is true. */
  can_resubmit: boolean;
  /** The name is assumed, and values other than `submitted` are undocumented. */
  status?: Open<'submitted'>;
  [field: string]: unknown;
}

/** A bank account (API docs, Bank account object). Every field is a required string. */
export interface BankAccount {
  /** `conta_corrente` (current account) or `conta_poupanca` (savings account). */
  bankAccountType: 'conta_corrente' | 'conta_poupanca';
  /** The bank's name, at most 100 characters. */
  bankName: string;
  /** The bank's COMPE code: 3 digits. */
  bankCode: string;
  /** The branch number (agência), at most 20 characters. */
  bankAgency: string;
  /** The account number, at most 30 characters. */
  bankAccount: string;
  /** The check digit, at most 5 characters. */
  bankAccountDv: string;
  /** The bank's ISPB code: 8 digits. */
  ispb: string;
}
