import type { Issue } from '../../validation/issue.js';
import { isRecord } from '../../validation/record.js';
import { cardValueIssues, documentIssues } from '../impossible-values.js';
import type { Fields } from '../operation.js';
import { undefinedIssues } from '../undefined-fields.js';
import { type KnownPaymentMethod, methodRules } from './methods.js';

const openCardFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'] as const;

const misplacedCard = "is only allowed with paymentMethod 'credit_card'";
const openCardNeeds = 'is required with raw card data';
const oneMode = 'must have raw card data, cardTokenId or upsellToken, and only one of them';

/** Checks the rules between a payment's fields (API docs, POST /v1/payments). */
export function createPaymentRules(payment: Fields, given: unknown = payment): Issue[] {
  const { paymentMethod: method, card, customer, items, threeDSData, wallet, subMerchant } = payment;
  const own = Object.hasOwn(methodRules, String(method))
    ? methodRules[method as KnownPaymentMethod]
    : undefined;
  const issues: Issue[] = [];
  const reject = (path: string, message: string) => issues.push({ path, message });
  const rejectCardData = (path: string) =>
    issues.push({ path, message: misplacedCard, check: 'payment.cardData' });
  if (isRecord(given) && given.split !== undefined) issues.push(...undefinedIssues(given.split, 'split'));
  const { document } = isRecord(customer) ? customer : {};
  for (const name of isRecord(document) ? ['number', 'type'] : []) {
    const value = (document as Fields)[name];
    if (typeof value === 'string' && value.trim() === '')
      issues.push({
        path: `customer.document.${name}`,
        message: 'must not be empty',
        check: 'customer.document',
      });
  }
  if (isRecord(document))
    issues.push(...documentIssues(document.number, document.type, 'customer.document.number'));
  const { document: owner } = isRecord(subMerchant) ? subMerchant : {};
  if (isRecord(owner))
    issues.push(...documentIssues(owner.number, owner.type, 'subMerchant.document.number', true));
  for (const [index, item] of Array.isArray(items) ? items.entries() : []) {
    const { quantity } = Object(item) as Fields;
    if (typeof quantity === 'number' && quantity < 1)
      issues.push({
        path: `items.${index}.quantity`,
        message: 'must be at least 1',
        check: 'item.values',
      });
  }
  if (isRecord(card)) issues.push(...cardValueIssues(card, 'card.'));
  if (wallet !== undefined && card !== undefined)
    reject('wallet', 'card and wallet cannot be combined. Send one of them');
  for (const [name, { block, ownCheck }] of Object.entries(methodRules)) {
    if (payment[block] === undefined || method === name) continue;
    if (ownCheck === undefined) reject(block, `is only allowed with paymentMethod '${name}'`);
    else if (own !== undefined) issues.push({ path: block, ...ownCheck });
  }
  if (own?.isCard === false) {
    if (card !== undefined) rejectCardData('card');
    if (threeDSData !== undefined) rejectCardData('threeDSData');
  }
  if (own?.needsCustomer && customer === undefined)
    reject('customer', `is required with paymentMethod '${method}'`);
  if (own?.isCard === false) return issues;
  if (card === undefined && wallet === undefined && method === 'credit_card') {
    const meant = Object.keys(payment).find((name) => /card|wallet|cartao/i.test(name));
    const hint = meant === undefined ? '' : `. Did you mean card instead of ${meant.slice(0, 40)}?`;
    const message = `is required with paymentMethod 'credit_card', unless you pass wallet${hint}`;
    issues.push({ path: 'card', message, check: 'payment.required' });
  }
  if (!isRecord(card)) return issues;
  const missing = openCardFields.filter((name) => card[name] === undefined);
  const isOpen = missing.length < openCardFields.length;
  const { cardTokenId, upsellToken } = card;
  if (Number(isOpen) + Number(cardTokenId !== undefined) + Number(upsellToken !== undefined) !== 1) {
    reject('card', oneMode);
  } else if (isOpen) {
    if (customer === undefined) reject('customer', openCardNeeds);
    for (const name of missing) reject(`card.${name}`, openCardNeeds);
  } else {
    const [token, name] =
      cardTokenId === undefined ? ['an upsell-token', 'upsellToken'] : ['a vault-token', 'cardTokenId'];
    const unwanted = `must be absent for ${token} payment (${name})`;
    if (customer !== undefined) reject('customer', unwanted);
    if (cardTokenId === undefined && threeDSData !== undefined) reject('threeDSData', unwanted);
  }
  return issues;
}
