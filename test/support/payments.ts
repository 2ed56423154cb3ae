import type { OpenCardPayment, Payment, PixPayment } from 'payment-platform';

/** The id of a record, wherever a test needs one. */
export const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

export const pix = {
  externalId: 'order-1042',
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
} satisfies PixPayment;

export const openCard = {
  ...pix,
  paymentMethod: 'credit_card',
  card: {
    number: '4111111111111111',
    cvv: '737',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2030,
  },
} satisfies OpenCardPayment;

/** The platform's response. */
export const paid: Payment = {
  id: '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b',
  status: 'paid',
  amount: 1990,
  paymentMethod: 'pix',
  createdAt: '2026-01-01T00:00:00Z',
  externalReference: 'order-1042',
};
