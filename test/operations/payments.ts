import { describes, notShown, ofProduct, ofWallet, untried } from '../../tools/conformance/entry.js';
import { id, paid, pix } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';
import { createSubAccount } from './sub-account.js';

const wallet = 'A wallet is sent alone, and only with credit_card';
const openCard = 'An open card needs number, cvv, holderName, expirationMonth and expirationYear';
const upsells =
  'Replaying the origin returns the same upsell.token; replaying its charge the same transaction';
const optional = 'A Pix has an expiration in seconds, a boleto a due date';

const card = {
  number: '4111111111111111',
  cvv: '123',
  holderName: 'A',
  expirationMonth: 1,
  expirationYear: 30,
};
const byCard = { paymentMethod: 'credit_card' };
const payment = { id, status: 'paid', amount: 100, paymentMethod: 'pix', createdAt: '2026-01-01T00:00:00Z' };
const nobody = {
  name: null,
  email: null,
  phone: null,
  documentNumber: null,
  documentType: null,
  address: null,
};

export const paymentRecords = {
  'payments.create': {
    section: 'POST /v1/payments',
    statements: {
      prefix: 'create',
      lines: [
        ['It makes a payment', 'A Pix is created'],
        ['The key is optional', 'Without the header every request creates a new charge'],
        [
          'The key has at most 255 characters',
          ['x-idempotency-key has at most 255 characters', 'A key of 255 characters is accepted'],
        ],
        ['A UUID is recommended as key', describes],
        ['externalId is echoed', 'A Pix is created'],
        [
          'amount is an integer',
          ['The amount is an integer', 'amount, paymentMethod and items are of their types'],
        ],
        [
          'amount is at least 100',
          ['The amount is at least 100 cents', '100 and 15000000 cents are accepted'],
        ],
        [
          'amount is at most 15000000',
          ['The amount is at most 15000000 cents', '100 and 15000000 cents are accepted'],
        ],
        [
          'paymentMethod is one of three',
          [
            'paymentMethod is pix, credit_card or boleto',
            'amount, paymentMethod and items are of their types',
          ],
        ],
        ['A Pix requires a customer', 'A Pix needs a customer'],
        ['An open card requires a customer', 'An open card needs a customer'],
        [
          'A vault charge has no customer',
          'A vault charge needs no customer, and refuses one; it has no upsell token',
        ],
        ['An upsell charge has no customer', 'A charge on an upsell token has no customer'],
        ['There is at least one item', 'A payment has at least one item'],
        ['An item has title, quantity and unitPrice', 'An item has a title, a quantity and a unitPrice'],
        ['subMerchant is an active, registered sub-account', 'The owner sub-account must be registered'],
        ['It becomes the owner of the split; else the merchant is', ofProduct],
        ['Split rules have at least one entry', 'Split rules have at least one entry'],
        ['Split rules divide the net amount', ofProduct],
        ['Split rules need PaaS and Split', ofProduct],
        ['card has exactly one of three modes', 'Card modes are never mixed'],
        ['card and wallet exclude each other', wallet],
        ['A wallet is valid only with credit_card', wallet],
        ['A wallet needs neither CVV nor 3DS', ofWallet],
        ['A result of 3DS can be sent', notShown],
        ['The IP of the payer can be sent', notShown],
        ['A statement descriptor can be sent', notShown],
        ['Metadata can be sent', notShown],
        ['Pix options have an expiration in seconds', optional],
        ['A Pix is valid for 1800 seconds by default', untried('No response shows when a Pix ends.')],
        ['boleto options have a due date', optional],
        [
          'A boleto is due after 30 days by default',
          untried('No response shows the due date; the PDF is not read.'),
        ],
        ['boleto options are valid only with boleto', 'boleto options are valid only with boleto'],
        ['An open card has number and cvv', openCard],
        ['An open card has holderName, expirationMonth and expirationYear', openCard],
        ['installments is an integer', notShown],
        ['An approved open card returns upsell.token', upsells],
        [
          'A vault card is cardTokenId alone',
          ['Card modes are never mixed', 'Unknown card tokens and upsell tokens are refused'],
        ],
        [
          'An upsell token is of an earlier approved payment',
          'Unknown card tokens and upsell tokens are refused',
        ],
        ['An upsell charge has no PAN and no CVV', 'Card modes are never mixed'],
        ['An upsell charge has no threeDSData', notShown],
        ['The response is the payment', 'A Pix is created'],
        ['The status of success is open', 'The response to a creation has the status 201'],
      ],
    },
    sample: async ({ platform }) => {
      const payment = await platform.payments.create(
        {
          externalId: 'order-1042',
          amount: 1990,
          paymentMethod: 'pix',
          customer: { name: 'Ana Souza', document: { number: '12345678909', type: 'cpf' } },
          items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
        },
        { idempotencyKey: 'order-1042' },
      );
      console.log(payment.id, payment.status);
    },
    testSamples: [
      ({ platform, samples }) => platform.payments.create(samples.payments.pix()),
      ({ platform, samples }) => platform.payments.create(samples.payments.boleto()),
      ({ platform, samples }) => platform.payments.create(samples.payments.card()),
      ({ platform, samples }) => platform.payments.create(samples.payments.vault()),
      ({ platform, samples }) => platform.payments.create(samples.payments.wallet()),
      async ({ platform, samples }) => {
        const { upsell } = await platform.payments.create(samples.payments.card());
        return platform.payments.create(samples.payments.upsell(upsell?.token ?? ''));
      },
      async (parts) => {
        const receivers = [await createSubAccount(parts), await createSubAccount(parts)].map(
          ({ document }) => document,
        );
        const payment = await parts.platform.payments.create(parts.samples.payments.split(receivers));
        return payment;
      },
    ],
    wire: {
      call: (platform) => platform.payments.create(pix),
      method: 'POST',
      path: '/v1/payments',
      json: pix,
      key: 'uuid',
      response: paid,
    },
    minimal: {
      requests: [
        {},
        { paymentMethod: 'pix', customer: {} },
        {
          paymentMethod: 'pix',
          customer: { document: { number: '1' } },
          pix: { expiration: 0.5 },
          metadata: {},
        },
        { paymentMethod: 'boleto' },
        { paymentMethod: 'boleto', boleto: {}, pix: { expiration: 60 } },
        byCard,
        { ...byCard, card, customer: {} },
        { ...byCard, card, customer: {}, threeDSData: {}, subMerchant: {}, split: [{}] },
        { ...byCard, card: { cardTokenId: 't' }, threeDSData: {} },
        { ...byCard, card: { upsellToken: 't', installments: 2 } },
        { ...byCard, wallet: {}, customer: {}, threeDSData: {} },
        { amount: 15_000_000, items: [{ title: '', quantity: 0, unitPrice: -1 }] },
      ].map((body) => (p) => p.payments.create(body)),
      responses: [
        payment,
        ...[
          'waiting_payment',
          'refused',
          'refunded',
          'in_analysis',
          'chargedback',
          'cancelled',
          'expired',
        ].map((status) => ({ ...payment, status })),
        {
          ...payment,
          customer: nobody,
          items: [],
          refusalReason: {},
          subMerchant: {},
          split: {},
          boleto: {},
        },
        {
          ...payment,
          card: { wallet: { type: 'apple_pay' } },
          upsell: { token: 't' },
          externalReference: '',
        },
      ],
    },
  },
  'payments.boleto': {
    section: 'GET /v1/payments/{id}/boleto',
    statements: {
      prefix: 'boleto',
      lines: [
        ['It returns the PDF', 'A boleto is created, and its PDF is read'],
        ['Its shape is open', notShown],
      ],
    },
    sample: async ({ platform, paymentId }) => {
      const { bytes, contentType } = await platform.payments.boleto(paymentId);
      console.log(contentType, bytes.length);
    },
    wire: {
      call: (platform) => platform.payments.boleto(id),
      method: 'GET',
      path: `/v1/payments/${id}/boleto`,
      key: 'none',
      // A JSON response stays a file, because its shape is undocumented.
      response: { pdf: 'elsewhere' },
    },
    minimal: { requests: [(p) => p.payments.boleto('1')], responses: [{}, { any: 'thing' }] },
  },
} satisfies Record<string, OperationRecord>;
