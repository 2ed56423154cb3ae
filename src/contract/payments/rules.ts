import type { Issue } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';
import { type Fields, has } from '../operation.js';

const openCardFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'] as const;

/** The documented modes of a card that its fields belong to. */
function cardModes(card: Fields): ('open' | 'vault' | 'upsell')[] {
  return [
    ...(openCardFields.some((name) => has(card, name)) ? (['open'] as const) : []),
    ...(has(card, 'cardTokenId') ? (['vault'] as const) : []),
    ...(has(card, 'upsellToken') ? (['upsell'] as const) : []),
  ];
}

const misplacedCard =
  'is valid only with paymentMethod credit_card: card data is sent for a card charge alone';
const openCardNeeds = 'is required for an open-card payment';
const oneMode =
  'takes exactly one mode: open card data, cardTokenId or upsellToken, never mixed (a PAN or CVV is not sent with a token)';

/** The rules of a Pix and of a boleto, which take no card. */
function withoutCard(payment: Fields): Issue[] {
  const issues: Issue[] = (['card', 'threeDSData'] as const)
    .filter((name) => has(payment, name))
    .map((name) => ({ path: name, message: misplacedCard, check: 'payment.cardData' }));
  if (payment.paymentMethod === 'pix' && !has(payment, 'customer'))
    issues.push({ path: 'customer', message: 'is required for a Pix payment' });
  return issues;
}

/** The rules of a card, by its mode. */
function withCard(payment: Fields, card: Fields): Issue[] {
  const [mode, other] = cardModes(card);
  if (mode === undefined || other !== undefined) return [{ path: 'card', message: oneMode }];
  if (mode === 'open') {
    const missing = openCardFields.filter((name) => !has(card, name));
    return [
      ...(has(payment, 'customer') ? [] : [{ path: 'customer', message: openCardNeeds }]),
      ...missing.map((name) => ({ path: `card.${name}`, message: openCardNeeds })),
    ];
  }
  const name =
    mode === 'vault' ? 'a vault-token payment (cardTokenId)' : 'an upsell-token payment (upsellToken)';
  const unwanted = mode === 'vault' ? ['customer'] : ['customer', 'threeDSData'];
  return unwanted
    .filter((field) => has(payment, field))
    .map((path) => ({ path, message: `must be absent for ${name}` }));
}

/** The rules between fields of a payment (API document, POST /v1/payments). */
export function createPaymentRules(payment: Fields): Issue[] {
  const { paymentMethod: method, card } = payment;
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (has(payment, 'wallet') && has(payment, 'card'))
    add('wallet', 'card and wallet are never sent together: send one');
  if (has(payment, 'wallet') && method !== 'credit_card')
    add('wallet', 'is valid only with paymentMethod credit_card');
  if (has(payment, 'boleto') && method !== 'boleto') add('boleto', 'is valid only with paymentMethod boleto');
  if (method === 'pix' || method === 'boleto') issues.push(...withoutCard(payment));
  else if (isRecord(card)) issues.push(...withCard(payment, card));
  return issues;
}
