import { isRecord } from '../../input/record.js';
import type { Fields, Rule } from '../operation.js';

const openCardFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'] as const;

const has = (draft: Fields, name: string) => draft[name] !== undefined;

type CardMode = 'open' | 'vault' | 'upsell' | 'mixed';

/** Which of the three modes the fields of a card belong to; `mixed` if to none or to several. */
function cardMode({ card }: Fields): CardMode | undefined {
  if (!isRecord(card)) return undefined;
  const modes: CardMode[] = [];
  if (openCardFields.some((name) => has(card, name))) modes.push('open');
  if (has(card, 'cardTokenId')) modes.push('vault');
  if (has(card, 'upsellToken')) modes.push('upsell');
  return modes.length === 1 ? modes[0] : 'mixed';
}

/** The rules between fields of a payment (API document, POST /v1/payments). */
export const createPaymentRules: readonly Rule[] = [
  {
    path: ['wallet'],
    message: 'card and wallet are never sent together: send one',
    broken: (payment) => has(payment, 'card') && has(payment, 'wallet'),
  },
  {
    path: ['card'],
    message: 'a credit_card payment needs card or wallet',
    broken: (payment) =>
      payment.paymentMethod === 'credit_card' && !has(payment, 'card') && !has(payment, 'wallet'),
  },
  {
    path: ['wallet'],
    message: 'is valid only with paymentMethod credit_card',
    broken: (payment) => has(payment, 'wallet') && payment.paymentMethod !== 'credit_card',
  },
  ...(['card', 'threeDSData'] as const).map((name) => ({
    path: [name],
    message: 'is valid only with paymentMethod credit_card: card data is sent for a card charge alone',
    broken: (payment: Fields) =>
      has(payment, name) && (payment.paymentMethod === 'pix' || payment.paymentMethod === 'boleto'),
  })),
  ...(['pix', 'boleto'] as const).map((name) => ({
    path: [name],
    message: `is valid only with paymentMethod ${name}`,
    broken: (payment: Fields) => has(payment, name) && payment.paymentMethod !== name,
  })),
  {
    path: ['customer'],
    message: 'is required for a Pix payment',
    broken: (payment) => payment.paymentMethod === 'pix' && !has(payment, 'customer'),
  },
  {
    path: ['card'],
    message:
      'takes exactly one mode: open card data, cardTokenId or upsellToken, never mixed (a PAN or CVV is not sent with a token)',
    broken: (payment) => cardMode(payment) === 'mixed',
  },
  {
    path: ['customer'],
    message: 'is required for an open-card payment',
    broken: (payment) =>
      payment.paymentMethod !== 'pix' && cardMode(payment) === 'open' && !has(payment, 'customer'),
  },
  {
    path: ['customer'],
    message: 'must be absent for a vault-token payment (cardTokenId)',
    broken: (payment) => cardMode(payment) === 'vault' && has(payment, 'customer'),
  },
  {
    path: ['customer'],
    message: 'must be absent for an upsell-token payment (upsellToken)',
    broken: (payment) => cardMode(payment) === 'upsell' && has(payment, 'customer'),
  },
  {
    path: ['threeDSData'],
    message: 'must be absent for an upsell-token payment (upsellToken)',
    broken: (payment) => cardMode(payment) === 'upsell' && has(payment, 'threeDSData'),
  },
  ...openCardFields.map((name) => ({
    path: ['card', name],
    message: 'is required for an open-card payment',
    broken: (payment: Fields) => cardMode(payment) === 'open' && !has(payment.card as Fields, name),
  })),
];
