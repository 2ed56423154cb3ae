import type { OperationId } from '../../src/contract/index.js';
import type { PaymentPlatform } from '../../src/index.js';
import { certificateDer } from './certificate.js';
import { bankAccount, jpeg, pdf, pf } from './onboarding.js';
import { paid, pix } from './payments.js';

/** The expected form of a call on the wire. */
export interface WireForm {
  readonly call: (platform: PaymentPlatform) => Promise<unknown>;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** The JSON body; undefined if the request has no body. */
  readonly json?: unknown;
  /** A form's string fields, and the bytes of its files. */
  readonly form?: Readonly<Record<string, string | Uint8Array>>;
  /** The idempotency key: none, or a UUID v4 that the SDK generates. */
  readonly key: 'none' | 'uuid';
  /** The platform's response, which the caller receives. */
  readonly answer: object;
}

export const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const registration = { registration_id: id, status: 'submitted' };
const domain = {
  id,
  domainName: 'shop.example',
  status: 'pending',
  createdAt: '2026-01-01T00:00:00Z',
  verificationFile: { path: '/.well-known/apple-developer-merchantid-domain-association', content: 'x' },
};
const certificate = {
  id,
  type: 'apple_pay_payment_processing',
  status: 'active',
  createdAt: '2026-01-01T00:00:00Z',
};
const endpoint = {
  id,
  endpoint: 'https://shop.example/hooks',
  status: 'active',
  created_at: '2026-01-01T00:00:00Z',
  events: ['transaction.paid'],
  hmac_configured: true,
};
const { selfie, cnhCompleta, bankAccount: _account, ...person } = pf;

/** Maps every operation of the contract. A missing operation does not compile. */
export const wireForms: { readonly [Id in OperationId]: WireForm } = {
  'payments.create': {
    call: (platform) => platform.payments.create(pix),
    method: 'POST',
    path: '/v1/payments',
    json: pix,
    key: 'uuid',
    answer: paid,
  },
  'payments.boleto': {
    call: (platform) => platform.payments.boleto(id),
    method: 'GET',
    path: `/v1/payments/${id}/boleto`,
    key: 'none',
    // A JSON response stays a file, because its shape is undocumented.
    answer: { pdf: 'elsewhere' },
  },
  'submerchants.create': {
    call: (platform) =>
      platform.submerchants.create({
        documentNumber: '12.abc.345/01de-35',
        documentType: 'cnpj',
        phone: '1133334444',
        anything: 'else',
        partners: 2,
        active: true,
        address: { city: 'São Paulo' },
        logo: jpeg,
      }),
    method: 'POST',
    path: '/v1/submerchants',
    form: {
      documentNumber: '12ABC34501DE35',
      documentType: 'cnpj',
      phone: '1133334444',
      anything: 'else',
      partners: '2',
      active: 'true',
      address: '{"city":"São Paulo"}',
      logo: jpeg,
    },
    key: 'uuid',
    answer: { internalId: id },
  },
  'submerchants.update': {
    call: (platform) =>
      platform.submerchants.update(id, { url: 'https://shop.example', addressZipCode: '01310-100' }),
    method: 'PATCH',
    path: `/v1/submerchants/${id}`,
    json: { url: 'https://shop.example', addressZipCode: '01310-100' },
    key: 'none',
    answer: { updated: true },
  },
  'submerchants.withdrawals.create': {
    call: (platform) => platform.submerchants.withdrawals.create({ internalId: id, amount: 5_000 }),
    method: 'POST',
    path: '/v1/submerchants/withdrawals',
    json: { internalId: id, amount: 5_000 },
    key: 'none',
    answer: { withdraw_id: 42 },
  },
  'submerchants.withdrawals.retrieve': {
    call: (platform) => platform.submerchants.withdrawals.retrieve(42),
    method: 'GET',
    path: '/v1/submerchants/withdrawals/42',
    key: 'none',
    answer: { withdraw_id: 42, status: 'pending' },
  },
  'onboarding.submitPf': {
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
    answer: registration,
  },
  'onboarding.submitPj': {
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
    answer: registration,
  },
  'onboarding.status': {
    call: (platform) => platform.onboarding.status(id),
    method: 'GET',
    path: `/v2/submerchants/onboarding/${id}/status`,
    key: 'none',
    answer: { can_resubmit: true, status: 'rejected', reasons: ['blurred'] },
  },
  'onboarding.resendDocuments': {
    call: (platform) => platform.onboarding.resendDocuments(id, { selfie: jpeg }, { checkStatus: false }),
    method: 'POST',
    path: `/v2/submerchants/onboarding/${id}/resend-documents`,
    form: { selfie: jpeg },
    key: 'none',
    answer: registration,
  },
  'domains.register': {
    call: (platform) => platform.domains.register({ domainName: 'shop.example' }),
    method: 'POST',
    path: '/v1/payment-method-domains',
    json: { domainName: 'shop.example' },
    key: 'none',
    answer: domain,
  },
  'domains.list': {
    call: (platform) => platform.domains.list(),
    method: 'GET',
    path: '/v1/payment-method-domains',
    key: 'none',
    answer: { data: [domain] },
  },
  'certificates.list': {
    call: (platform) => platform.certificates.list({ type: 'apple_pay_payment_processing' }),
    method: 'GET',
    path: '/v1/certificates?type=apple_pay_payment_processing',
    key: 'none',
    answer: { data: [certificate] },
  },
  'certificates.activate': {
    call: (platform) => platform.certificates.activate(id, { certificate: certificateDer }),
    method: 'POST',
    path: `/v1/certificates/${id}/activate`,
    json: { certificate: Buffer.from(certificateDer).toString('base64') },
    key: 'none',
    answer: certificate,
  },
  'certificates.revoke': {
    call: (platform) => platform.certificates.revoke(id),
    method: 'POST',
    path: `/v1/certificates/${id}/revoke`,
    key: 'none',
    answer: { ...certificate, status: 'revoked', revokedAt: '2026-01-02T00:00:00Z' },
  },
  'webhooks.create': {
    call: (platform) =>
      platform.webhooks.create({
        webhook_url: 'https://shop.example/hooks',
        events: ['transaction.paid'],
        hmac_secret: '0123456789abcdef',
      }),
    method: 'POST',
    path: '/v1/webhooks',
    json: {
      webhook_url: 'https://shop.example/hooks',
      events: ['transaction.paid'],
      hmac_secret: '0123456789abcdef',
    },
    key: 'none',
    answer: endpoint,
  },
  'webhooks.update': {
    call: (platform) => platform.webhooks.update(id, { events: ['transaction.refused'], hmac_secret: null }),
    method: 'PUT',
    path: `/v1/webhooks/${id}`,
    json: { events: ['transaction.refused'], hmac_secret: null },
    key: 'none',
    answer: endpoint,
  },
  'webhooks.list': {
    call: (platform) => platform.webhooks.list(),
    method: 'GET',
    path: '/v1/webhooks',
    key: 'none',
    answer: { data: [endpoint] },
  },
  'vault.tokenize': {
    call: (platform) => platform.vault.tokenize({ number: '4111111111111111' }),
    method: 'POST',
    path: '/v1/vault/tokenize',
    json: { number: '4111111111111111' },
    key: 'none',
    answer: { cardTokenId: 'token' },
  },
  'oauth.token': {
    call: (platform) => platform.payments.create(pix, { auth: 'oauth' }),
    method: 'POST',
    path: '/oauth/token',
    json: {
      grant_type: 'client_credentials',
      client_id: 'merchant-1',
      client_secret: 'sk_live_canary_4f9a1c',
    },
    key: 'none',
    answer: { access_token: 'token', expires_in: 3600 },
  },
};
