import { type Api, newKey } from '../api.js';

export const statuses = ['waiting_payment', 'paid', 'refused', 'refunded', 'in_analysis'];

export const items = [{ title: 'Conformance', quantity: 1, unitPrice: 1_990 }];
export const customer = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  document: { number: '52998224725', type: 'cpf' },
};
export const pix = (more: object = {}) => ({
  externalId: `conformance-${newKey()}`,
  amount: 1_990,
  paymentMethod: 'pix',
  customer,
  items,
  ...more,
});
export const openCard = (api: Api, more: object = {}) =>
  pix({
    paymentMethod: 'credit_card',
    card: {
      number: api.target.card,
      cvv: '123',
      holderName: 'MARIA SILVA',
      expirationMonth: 12,
      expirationYear: new Date().getUTCFullYear() + 3,
      installments: 1,
    },
    ...more,
  });

export const create = (api: Api, body: object, key?: string) =>
  api.send('POST /v1/payments', { body, ...(key !== undefined && { key }) });
