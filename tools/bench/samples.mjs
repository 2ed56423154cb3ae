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
  clientIp: '203.0.113.24',
  statementDescriptor: 'EXAMPLE STORE',
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
  customer: {
    name: 'Maria Aparecida da Silva',
    email: 'maria.silva@example.com',
    phone: null,
    documentNumber: '52998224725',
    documentType: 'cpf',
    address: {
      zipCode: '01310-100',
      street: 'Avenida Paulista',
      streetNumber: '1578',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      country: 'BR',
    },
  },
  items: order.items,
};

/** A webhook notification of 1 KB. */
export const notification = {
  event: 'transaction.paid',
  ...payment,
  status: 'paid',
  paidAt: '2026-03-14T15:11:40.012Z',
  metadata: {
    ...order.metadata,
    campaign: 'autumn-2026',
    warehouse: 'sp-02',
    carrier: 'correios-sedex',
    note: 'Leave the parcel with the doorman on the third floor, and ring twice: the bell is quiet and the dog is not. Should nobody answer, the neighbour at number 1580 takes it, any day until nine in the evening, and signs for it.',
  },
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
