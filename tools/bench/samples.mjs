/** The data of every measurement. All of it is fictitious. */

/** The paid order, for our client, the bare request and fetch. */
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

/** An order with equally many fields for stripe. */
export const intentOrder = {
  amount: 24_990,
  currency: 'brl',
  payment_method_types: ['pix'],
  description: 'order-2041-8831',
  receipt_email: 'maria.silva@example.com',
  statement_descriptor_suffix: 'EXAMPLE STORE',
  shipping: {
    name: 'Maria Aparecida da Silva',
    phone: '52998224725',
    tracking_number: 'cpf',
    address: { line1: 'Avenida Paulista 1578', city: 'São Paulo', state: 'SP', country: 'BR' },
  },
  metadata: { cart: 'c-77120', channel: 'web', ip: '203.0.113.24', keyboard: '1', pad: '2' },
  payment_method_options: { pix: { expires_after_seconds: 1800 } },
};

/** The response to stripe's order, about as long as the payment. */
export const intent = {
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  amount: 24_990,
  amount_received: 0,
  client_secret: 'pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH',
  created: 1_680_800_504,
  currency: 'brl',
  customer: null,
  description: 'order-2041-8831',
  livemode: false,
  metadata: intentOrder.metadata,
  payment_method_types: ['pix'],
  receipt_email: 'maria.silva@example.com',
  shipping: {
    name: 'Maria Aparecida da Silva',
    phone: '52998224725',
    address: { line1: 'Avenida Paulista 1578', city: 'São Paulo', state: 'SP', country: 'BR' },
  },
  status: 'requires_payment_method',
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
