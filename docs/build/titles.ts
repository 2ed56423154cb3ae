import type { OperationId } from '../../src/contract/index.js';

/** One line for each operation: an operation without one does not compile. */
export const summaries: Readonly<Record<OperationId, string>> = {
  'payments.create': 'Create a payment by Pix, credit card or boleto',
  'payments.boleto': 'Read the PDF of a boleto',
  'submerchants.create': 'Create a sub-account',
  'submerchants.update': 'Update the registration data of a sub-account',
  'submerchants.withdrawals.create': 'Create a withdrawal of a sub-account',
  'submerchants.withdrawals.retrieve': 'Read a withdrawal',
  'onboarding.submitPf': 'Start the onboarding of a natural person',
  'onboarding.submitPj': 'Start the onboarding of a legal entity',
  'onboarding.status': 'Read the status of an onboarding',
  'onboarding.resendDocuments': 'Send documents again after a KYC rejection',
  'domains.register': 'Register a domain on which wallets are shown',
  'domains.list': 'List domains and their verification status',
  'certificates.list': 'List wallet certificates',
  'certificates.activate': 'Activate a certificate with what the authority issued',
  'certificates.revoke': 'Revoke a certificate',
  'webhooks.create': 'Register a webhook endpoint',
  'webhooks.update': 'Change a webhook endpoint',
  'webhooks.list': 'List webhook endpoints',
  'vault.tokenize': 'Store a card in the vault',
  'oauth.token': 'Issue an access token',
};

/** The first part of an operation's id. */
export type Tag = OperationId extends infer Id
  ? Id extends `${infer First}.${string}`
    ? First
    : never
  : never;

export const tags: Readonly<Record<Tag, string>> = {
  payments: 'Payments by Pix, credit card and boleto.',
  submerchants: 'Sub-accounts and their withdrawals.',
  onboarding: 'Onboarding of sub-accounts with documents. It is asynchronous.',
  domains: 'Domains on which digital wallets are shown.',
  certificates: 'Certificates of digital wallets.',
  webhooks: 'Endpoints that receive notifications.',
  vault: 'Cards as tokens.',
  oauth: 'Access tokens, instead of the headers client-id and client-secret.',
};

/** The names of bodies that are described once, under components. Bodies of a free shape have none. */
export const schemaNames: Readonly<
  Partial<Record<OperationId, { readonly request?: string; readonly response?: string }>>
> = {
  'payments.create': { request: 'CreatePayment', response: 'Payment' },
  'submerchants.create': { request: 'CreateSubmerchant' },
  'submerchants.update': { request: 'UpdateSubmerchant' },
  'submerchants.withdrawals.create': { response: 'CreatedWithdrawal' },
  'submerchants.withdrawals.retrieve': { response: 'Withdrawal' },
  'onboarding.submitPf': { request: 'OnboardingPf', response: 'OnboardingRegistration' },
  'onboarding.submitPj': { request: 'OnboardingPj', response: 'OnboardingRegistration' },
  'onboarding.status': { response: 'OnboardingStatus' },
  'onboarding.resendDocuments': { request: 'ResentDocuments', response: 'OnboardingRegistration' },
  'domains.register': { request: 'RegisterDomain', response: 'Domain' },
  'domains.list': { response: 'DomainList' },
  'certificates.list': { response: 'CertificateList' },
  'certificates.activate': { request: 'ActivateCertificate', response: 'Certificate' },
  'certificates.revoke': { response: 'Certificate' },
  'webhooks.create': { request: 'CreateWebhook', response: 'WebhookEndpoint' },
  'webhooks.update': { request: 'UpdateWebhook' },
  'webhooks.list': { response: 'WebhookEndpointList' },
  'oauth.token': { request: 'TokenRequest', response: 'Token' },
};
