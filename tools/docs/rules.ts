import type { Fields, Operation } from '../../src/contract/operation.js';
import { listBankFields } from '../../src/contract/submerchants/operations.js';
import type { Issue } from '../../src/validation/issue.js';

const selfie = { selfieComDocumento: 'x', cnhCompleta: 'x' };
const tokens = { cardTokenId: { cardTokenId: 'x' }, upsellToken: { upsellToken: 'x' } };

/** Invalid bodies by operation. Together they break every rule between the operation's fields. */
const breaking: Readonly<Record<string, readonly Fields[]>> = {
  'payments.create': [
    { paymentMethod: 'credit_card', card: { ...tokens.cardTokenId }, wallet: {} },
    { paymentMethod: 'boleto', wallet: {} },
    { paymentMethod: 'pix', boleto: {}, card: {}, threeDSData: {} },
    { paymentMethod: 'credit_card', card: {} },
    { paymentMethod: 'credit_card' },
    { paymentMethod: 'pix', customer: { document: { number: '', type: '' } } },
    { paymentMethod: 'credit_card', card: { holderName: 'x' } },
    { paymentMethod: 'credit_card', card: { number: 'x' } },
    { paymentMethod: 'credit_card', card: tokens.cardTokenId, customer: {} },
    { paymentMethod: 'credit_card', card: tokens.upsellToken, customer: {}, threeDSData: {} },
  ],
  'submerchants.update': [Object.fromEntries(['status', ...listBankFields()].map((name) => [name, 'x']))],
  'onboarding.submitPf': [{}, { phone: '55' }, { documentoFrente: 'x' }, { documentoVerso: 'x' }, selfie],
  'onboarding.submitPj': [selfie, { phone: '55' }],
  'onboarding.resendDocuments': [selfie],
  'webhooks.create': [{ events: ['paid'], hmac_secret: ' x' }],
  'webhooks.update': [{ events: ['paid'], hmac_secret: ' x' }],
};

/**
 * Lists every rule between an operation's fields, each once.
 *
 * @throws Error for an operation whose rules are not broken above
 */
export function listRules({ id, rules }: Pick<Operation, 'id' | 'rules'>): readonly Issue[] {
  if (rules === undefined) return [];
  const broken = (breaking[id] ?? []).flatMap((body) => rules(body));
  if (broken.length === 0) throw new Error(`tools/docs/rules.ts has no body that breaks a rule of ${id}`);
  return [...new Map(broken.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()];
}
