/** The data of every measurement. All of it is fictitious. */

/** The paid order. */
export const order = {
  externalId: 'order-2041-8831',
  amount: 24_990,
  paymentMethod: 'pix',
  customer: {
    name: 'Maria Aparecida da Silva',
    email: 'maria.silva@example.com',
    document: { number: '52998224725', type: 'cpf' },
  },
  items: [
    { title: 'Wireless keyboard', quantity: 1, unitPrice: 18_990 },
    { title: 'Mouse pad', quantity: 2, unitPrice: 3_000 },
  ],
  metadata: { cart: 'c-77120', channel: 'web' },
  pix: { expiration: 1800 },
};

/** The platform's response to the order. */
export const payment = {
  id: '5f0c3f0e-8f7e-4d7b-9a55-3d1f2b6c9e10',
  status: 'waiting_payment',
  amount: 24_990,
  paymentMethod: 'pix',
  createdAt: '2026-03-14T15:09:26.535Z',
  externalReference: 'order-2041-8831',
  customer: { name: 'Maria Aparecida da Silva', email: 'maria.silva@example.com', phone: null },
  items: order.items,
};

/** A webhook notification. */
export const notification = {
  event: 'transaction.paid',
  ...payment,
  status: 'paid',
  metadata: order.metadata,
};

export const credentials = {
  clientId: 'bench-client-0001',
  clientSecret: 'bench-secret-0123456789abcdef0123456789abcdef',
};

/** The endpoint's `hmac_secret`. */
export const secret = 'whsec_0123456789abcdef0123456789abcdef';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
