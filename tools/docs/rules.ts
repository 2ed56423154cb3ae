import type { Fields, Operation } from '../../src/contract/operation.js';
import { listBankFields } from '../../src/contract/submerchants/operations.js';
import type { Issue } from '../../src/validation/issue.js';

const selfie = { selfieComDocumento: 'x', cnhCompleta: 'x' };
const tokens = { cardTokenId: { cardTokenId: 'x' }, upsellToken: { upsellToken: 'x' } };

/** Numbers that are not a CPF: too short, repeated digits, wrong check digits, a CNPJ. */
const numbers = ['1', '11111111111', '12345678900', '11222333000181'];
const documents = [
  ...numbers.map((number) => ({ number, type: 'cpf' })),
  { number: '1', type: 'cnpj' },
  { number: '12345678909', type: 'cnpj' },
];
const cards = [
  { ...tokens.cardTokenId, installments: 0, expirationMonth: 13, expirationYear: 30 },
  { ...tokens.cardTokenId, expirationMonth: 1, expirationYear: 2020 },
];

/** Invalid bodies by operation. Together they break every rule between the operation's fields. */
const breaking: Readonly<Record<string, readonly Fields[]>> = {
  'payments.create': [
    { paymentMethod: 'credit_card', card: { ...tokens.cardTokenId }, wallet: {} },
    { paymentMethod: 'boleto', wallet: {} },
    { paymentMethod: 'pix', boleto: {}, card: {}, threeDSData: {} },
    { paymentMethod: 'boleto', pix: {} },
    ...documents.map((document) => ({
      paymentMethod: 'pix',
      customer: { document },
      subMerchant: { document },
    })),
    ...cards.map((card) => ({ paymentMethod: 'credit_card', card })),
    { paymentMethod: 'pix', items: [{ quantity: 0 }] },
    { paymentMethod: 'credit_card', card: { number: '1' } },
    { paymentMethod: 'credit_card', card: {} },
    { paymentMethod: 'credit_card' },
    { paymentMethod: 'pix', customer: { document: { number: '', type: '' } } },
    { paymentMethod: 'credit_card', card: { holderName: 'x' } },
    { paymentMethod: 'credit_card', card: { number: 'x' } },
    { paymentMethod: 'credit_card', card: tokens.cardTokenId, customer: {} },
    { paymentMethod: 'credit_card', card: tokens.upsellToken, customer: {}, threeDSData: {} },
  ],
  'submerchants.update': [Object.fromEntries(['status', ...listBankFields()].map((name) => [name, 'x']))],
  'submerchants.create': documents.map(({ number, type }) => ({
    documentNumber: number,
    documentType: type,
  })),
  // Its rule is about undefined fields, which JSON does not have.
  'submerchants.withdrawals.create': [],
  'vault.tokenize': [...cards, { number: '1' }],
  'onboarding.submitPf': [
    {},
    { phone: '55', birthDate: '1790-01-01' },
    ...numbers.map((document) => ({ document })),
    { documentoFrente: 'x' },
    { documentoVerso: 'x' },
    selfie,
  ],
  'onboarding.submitPj': [
    selfie,
    { phone: '55', birthDate: '1790-01-01' },
    ...numbers.map((number) => ({ cnpj: number, representativeCpf: number })),
  ],
  'onboarding.resendDocuments': [selfie],
  'webhooks.create': [{ events: ['paid'], hmac_secret: ' x' }],
  'webhooks.update': [{ events: ['paid'], hmac_secret: ' x' }],
};

/**
 * Lists every rule between an operation's fields, each once.
 *
 * @throws Error for an operation with rules that is not listed above
 */
export function listRules({ id, rules }: Pick<Operation, 'id' | 'rules'>): readonly Issue[] {
  if (rules === undefined) return [];
  const bodies = breaking[id];
  if (bodies === undefined) throw new Error(`tools/docs/rules.ts has no body that breaks a rule of ${id}`);
  const broken = bodies.flatMap((body) => rules(body));
  return [...new Map(broken.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()];
}
