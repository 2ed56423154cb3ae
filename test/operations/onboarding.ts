import { notShown, ofKyc } from '../../tools/conformance/entry.js';
import { bankAccount, jpeg, pdf, pf } from '../support/onboarding.js';
import { id } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';
import { keysAreUuids } from './submerchants.js';

const submitted = 'Onboarding returns 202; the same key and payload the same response; another payload 409';
const pfRequired = 'Each required field of onboarding PF is required';
const pfLength = 'Each field of onboarding PF has its maximum length';
const pfForms = 'The fields of onboarding PF have their forms';
const identity = 'An identity document is required';
const pj = 'Onboarding PJ returns 202 with registration_id and status';

const registration = { registration_id: id, status: 'submitted' };
const { selfie, cnhCompleta, bankAccount: _account, ...person } = pf;
const file = Uint8Array.of(1);
const shortest = {
  document: '12345678909',
  fullName: 'A',
  birthDate: '1990-01-01',
  phone: '+5511912345678',
  addressZipCode: '01310-100',
  addressStreet: 'A',
  addressNumber: '1',
  addressNeighborhood: 'A',
  addressCity: 'A',
  addressState: 'SP',
  bankAccount: {
    bankAccountType: 'conta_corrente',
    bankName: 'B',
    bankCode: '001',
    bankAgency: '1',
    bankAccount: '1',
    bankAccountDv: '1',
    ispb: '00000000',
  },
  selfie: file,
};

export const onboardingRecords = {
  'onboarding.submitPf': {
    section: 'POST /v2/submerchants/onboarding/pf',
    statements: {
      prefix: 'pf',
      lines: [
        ['The key is required', 'The key is required on onboarding PF'],
        ['The key is a UUID', keysAreUuids],
        ['document is required', 'The document is required'],
        ['document is a CPF of 11 digits', pfForms],
        ['fullName is required, at most 255', [pfRequired, pfLength]],
        ['birthDate is required, YYYY-MM-DD', [pfRequired, pfForms]],
        ['email is optional', submitted],
        ['email is an e-mail', pfForms],
        ['phone is required, E.164', [pfRequired, pfForms]],
        ['addressZipCode is required, at most 10', [pfRequired, pfLength]],
        ['addressStreet is required, at most 255', [pfRequired, pfLength]],
        ['addressNumber is required, at most 20', [pfRequired, pfLength]],
        ['addressComplement is optional, at most 255', [submitted, pfLength]],
        ['addressNeighborhood is required, at most 100', [pfRequired, pfLength]],
        ['addressCity is required, at most 100', [pfRequired, pfLength]],
        ['addressState is required, 2 characters', [pfRequired, pfLength]],
        ['bankAccount is required', pfRequired],
        [
          'bankAccount is JSON in a string field',
          ['Each field of the bank account has its form and its maximum length', submitted],
        ],
        ['documentoFrente comes with documentoVerso', 'The front of the identity card needs its back'],
        [
          'cnhCompleta is the alternative',
          [submitted, 'The front and the back of the identity card are accepted instead of the licence'],
        ],
        ['One of both is required', identity],
        ['selfie is required', 'The selfie is required'],
        ['selfieComDocumento is not used', 'selfieComDocumento is not taken for the selfie'],
        ['It returns 202 with registration_id and status', submitted],
      ],
    },
    sample: async ({ platform, seller, licence, selfie }) => {
      const { registration_id } = await platform.onboarding.submitPf({
        ...seller,
        cnhCompleta: licence,
        selfie,
      });
      console.log(registration_id);
    },
    testSamples: [({ platform, samples }) => platform.onboarding.submitPf(samples.onboarding.pf())],
    wire: {
      call: (platform) =>
        platform.onboarding.submitPf({
          ...pf,
          document: '123.456.789-09',
          phone: '+55 (11) 91234-5678',
          addressZipCode: '01310-100',
        }),
      method: 'POST',
      path: '/v2/submerchants/onboarding/pf',
      form: {
        ...person,
        addressZipCode: '01310-100',
        bankAccount: JSON.stringify(bankAccount),
        cnhCompleta,
        selfie,
      },
      key: 'uuid',
      response: registration,
    },
    minimal: {
      requests: [
        (p) => p.onboarding.submitPf({ ...shortest, cnhCompleta: file }),
        (p) => p.onboarding.submitPf({ ...shortest, documentoFrente: file, documentoVerso: file }),
        (p) => p.onboarding.submitPf({ ...shortest, cnhCompleta: file, documentoFrente: file }),
      ],
      responses: [registration],
    },
  },
  'onboarding.submitPj': {
    section: 'POST /v2/submerchants/onboarding/pj',
    statements: {
      prefix: 'pj',
      lines: [
        ['The key is required', keysAreUuids],
        ['It takes the fields and files of a legal entity', pj],
        ['It returns 202 with registration_id and status', pj],
        ['The required fields are open', notShown],
      ],
    },
    sample: async ({ platform, company }) => {
      const { registration_id } = await platform.onboarding.submitPj(company);
      console.log(registration_id);
    },
    testSamples: [({ platform, samples }) => platform.onboarding.submitPj(samples.onboarding.pj())],
    wire: {
      call: (platform) =>
        platform.onboarding.submitPj({
          cnpj: '11.222.333/0001-81',
          representativeCpf: '123.456.789-09',
          representativeName: 'Ana Souza',
          birthDate: '1990-02-28',
          phone: '+551133334444',
          email: 'ana@example.com',
          bankAccount,
          documentoFrente: jpeg,
          documentoVerso: jpeg,
          selfie: jpeg,
          contratoSocial: pdf,
          cartaoCnpj: pdf,
        }),
      method: 'POST',
      path: '/v2/submerchants/onboarding/pj',
      form: {
        cnpj: '11222333000181',
        representativeCpf: '12345678909',
        representativeName: 'Ana Souza',
        birthDate: '1990-02-28',
        phone: '+551133334444',
        email: 'ana@example.com',
        bankAccount: JSON.stringify(bankAccount),
        documentoFrente: jpeg,
        documentoVerso: jpeg,
        selfie: jpeg,
        contratoSocial: pdf,
        cartaoCnpj: pdf,
      },
      key: 'uuid',
      response: registration,
    },
    minimal: {
      requests: [
        (p) => p.onboarding.submitPj({ email: 'a@b' }),
        (p) => p.onboarding.submitPj({ cnpj: '12ABC34501DE35', selfie: file }),
      ],
      responses: [registration],
    },
  },
  'onboarding.status': {
    section: 'GET /v2/submerchants/onboarding/{registrationId}/status',
    statements: {
      prefix: 'status',
      lines: [
        [
          'It has can_resubmit',
          'The status query has can_resubmit; documents are resent only when it is true',
        ],
        ['An unknown registration has none', 'The status of an unknown registration cannot be read'],
      ],
    },
    sample: async ({ platform, registrationId }) => {
      const { status, can_resubmit } = await platform.onboarding.status(registrationId);
      console.log(status, can_resubmit);
    },
    wire: {
      call: (platform) => platform.onboarding.status(id),
      method: 'GET',
      path: `/v2/submerchants/onboarding/${id}/status`,
      key: 'none',
      response: { can_resubmit: true, status: 'rejected', reasons: ['blurred'] },
    },
    minimal: {
      requests: [(p) => p.onboarding.status(id)],
      responses: [{ can_resubmit: false }, { can_resubmit: true, any: 1 }],
    },
  },
  'onboarding.resendDocuments': {
    section: 'POST /v2/submerchants/onboarding/{registrationId}/resend-documents',
    statements: {
      prefix: 'resend',
      lines: [
        [
          'Only when can_resubmit is true',
          'The status query has can_resubmit; documents are resent only when it is true',
        ],
        ['It takes four files', ofKyc],
        ['It returns 202', ofKyc],
      ],
    },
    sample: async ({ platform, registrationId, selfie }) => {
      await platform.onboarding.resendDocuments(registrationId, { selfie });
    },
    testSamples: [
      async ({ platform, sandbox, samples }) => {
        const { registration_id } = await platform.onboarding.submitPf(samples.onboarding.pf());
        sandbox.control.onboarding.reject(registration_id, { canResubmit: true });
        return platform.onboarding.resendDocuments(registration_id, samples.onboarding.resend());
      },
    ],
    wire: {
      call: (platform) => platform.onboarding.resendDocuments(id, { selfie: jpeg }, { checkStatus: false }),
      method: 'POST',
      path: `/v2/submerchants/onboarding/${id}/resend-documents`,
      form: { selfie: jpeg },
      key: 'none',
      response: registration,
    },
    minimal: {
      requests: ['documentoFrente', 'documentoVerso', 'selfie', 'cnhCompleta', 'contratoSocial'].map(
        (name) => (p) => p.onboarding.resendDocuments(id, { [name]: file }, { checkStatus: false }),
      ),
      responses: [registration],
    },
  },
} satisfies Record<string, OperationRecord>;
