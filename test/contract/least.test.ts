import type { DriftEvent, PaymentPlatform } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../../src/contract/index.js';
import { clientOn, onBothEngines } from '../support/engines.js';
import { rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';
import { id } from '../support/wire-forms.js';

const opens = closedAfterEach();

/** The client without types, which require more than the documented minimum. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
type Loose = any;

const file = Uint8Array.of(1);
const at = '2026-01-01T00:00:00Z';
const payment = { id, status: 'paid', amount: 100, paymentMethod: 'pix', createdAt: at };
const nobody = {
  name: null,
  email: null,
  phone: null,
  documentNumber: null,
  documentType: null,
  address: null,
};
const certificate = { id, type: 'apple_pay_payment_processing', status: 'issued', createdAt: at };
const domain = { id, domainName: 'shop.example', status: 'pending', createdAt: at };
const endpoint = {
  id,
  endpoint: 'https://shop.example',
  status: 'active',
  created_at: at,
  events: [],
  hmac_configured: false,
};
const registration = { registration_id: id, status: 'submitted' };
const bankAccount = {
  bankAccountType: 'conta_corrente',
  bankName: 'B',
  bankCode: '001',
  bankAgency: '1',
  bankAccount: '1',
  bankAccountDv: '1',
  ispb: '00000000',
};
const person = {
  document: '12345678909',
  fullName: 'A',
  birthDate: '1990-01-01',
  phone: '+5511912345678',
  addressZipCode: '01310-100',
  addressStreet: 'A',
  addressNumber: '1',
  addressNeighborhood: 'A',
  addressCity: 'A',
  addressState: 'SP',
  bankAccount,
  selfie: file,
};
const card = {
  number: '4111111111111111',
  cvv: '123',
  holderName: 'A',
  expirationMonth: 1,
  expirationYear: 30,
};
const card_ = { paymentMethod: 'credit_card' };

/** Lists the minimal request and response of each operation, according to the API docs. */
const least: Record<
  Exclude<OperationId, 'oauth.token'>,
  { requests: ((p: Loose) => Promise<unknown>)[]; responses: unknown[] }
> = {
  'payments.create': {
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
      card_,
      { ...card_, card, customer: {} },
      { ...card_, card, customer: {}, threeDSData: {}, subMerchant: {}, split: [{}] },
      { ...card_, card: { cardTokenId: 't' }, threeDSData: {} },
      { ...card_, card: { upsellToken: 't', installments: 2 } },
      { ...card_, wallet: {}, customer: {}, threeDSData: {} },
      { amount: 15_000_000, items: [{ title: '', quantity: 0, unitPrice: -1 }] },
    ].map((body) => (p: Loose) => p.payments.create(body)),
    responses: [
      payment,
      ...['waiting_payment', 'refused', 'refunded', 'in_analysis', 'chargedback', 'cancelled', 'expired'].map(
        (status) => ({ ...payment, status }),
      ),
      { ...payment, customer: nobody, items: [], refusalReason: {}, subMerchant: {}, split: {}, boleto: {} },
      { ...payment, card: { wallet: { type: 'apple_pay' } }, upsell: { token: 't' }, externalReference: '' },
    ],
  },
  'payments.boleto': { requests: [(p) => p.payments.boleto('1')], responses: [{}, { any: 'thing' }] },
  'submerchants.create': {
    requests: [(p) => p.submerchants.create({ phone: '1' })],
    responses: [{}, [], 'ok', 1, null],
  },
  'submerchants.update': {
    requests: [(p) => p.submerchants.update(id, {}), (p) => p.submerchants.update(id, { url: '' })],
    responses: [{}, [], 'ok', 1, null],
  },
  'submerchants.withdrawals.create': {
    requests: [(p) => p.submerchants.withdrawals.create({})],
    responses: [{ withdraw_id: 1 }],
  },
  'submerchants.withdrawals.retrieve': {
    requests: [(p) => p.submerchants.withdrawals.retrieve(1)],
    responses: [
      { withdraw_id: 1, status: 'pending' },
      { withdraw_id: 1, status: 'any' },
    ],
  },
  'onboarding.submitPf': {
    requests: [
      (p) => p.onboarding.submitPf({ ...person, cnhCompleta: file }),
      (p) => p.onboarding.submitPf({ ...person, documentoFrente: file, documentoVerso: file }),
      (p) => p.onboarding.submitPf({ ...person, cnhCompleta: file, documentoFrente: file }),
    ],
    responses: [registration],
  },
  'onboarding.submitPj': {
    requests: [
      (p) => p.onboarding.submitPj({ email: 'a@b' }),
      (p) => p.onboarding.submitPj({ cnpj: '12ABC34501DE35', selfie: file }),
    ],
    responses: [registration],
  },
  'onboarding.status': {
    requests: [(p) => p.onboarding.status(id)],
    responses: [{ can_resubmit: false }, { can_resubmit: true, any: 1 }],
  },
  'onboarding.resendDocuments': {
    requests: ['documentoFrente', 'documentoVerso', 'selfie', 'cnhCompleta', 'contratoSocial'].map(
      (name) => (p: Loose) => p.onboarding.resendDocuments(id, { [name]: file }, { checkStatus: false }),
    ),
    responses: [registration],
  },
  'domains.register': {
    requests: [
      'localhost',
      'shop.example',
      'shop.example.',
      'café.com.br',
      'a_b.example',
      'x'.repeat(255),
    ].map((domainName) => (p: Loose) => p.domains.register({ domainName })),
    responses: [
      domain,
      { ...domain, verificationFile: { path: '/', content: '' } },
      { ...domain, status: 'failed', lastVerificationError: 'x', verifiedAt: null },
    ],
  },
  'domains.list': { requests: [(p) => p.domains.list()], responses: [{ data: [] }, { data: [domain] }] },
  'certificates.list': {
    requests: [(p) => p.certificates.list()],
    responses: [{ data: [] }, { data: [certificate] }],
  },
  'certificates.activate': { requests: [], responses: [{ ...certificate, status: 'active' }] },
  'certificates.revoke': {
    requests: [(p) => p.certificates.revoke(id)],
    responses: [{ ...certificate, status: 'revoked' }],
  },
  'webhooks.create': {
    requests: [
      (p) => p.webhooks.create({ webhook_url: 'https://shop.example', events: [] }),
      (p) =>
        p.webhooks.create({
          webhook_url: 'https://shop.example',
          events: ['withdrawal.paid'],
          hmac_secret: 'x'.repeat(16),
        }),
    ],
    responses: [endpoint],
  },
  'webhooks.update': {
    requests: [{}, { hmac_secret: null }, { events: ['any.event'] }].map(
      (changes) => (p: Loose) => p.webhooks.update(id, changes),
    ),
    responses: [{}, [], 'ok', 1, null],
  },
  'webhooks.list': { requests: [(p) => p.webhooks.list()], responses: [{ data: [] }, { data: [endpoint] }] },
  'vault.tokenize': { requests: [(p) => p.vault.tokenize({})], responses: [{}, [], 'tok', 1, null] },
};

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/json',
  'application/vnd.x+json',
];

test('every operation has a minimal request in this test file', () => {
  const ids = operations.map((operation) => operation.id).filter((name) => name !== 'oauth.token');
  expect(Object.keys(least).sort()).toEqual([...ids].sort());
});

onBothEngines((engine) => {
  describe('a request with the documented minimum is sent, and a minimal response causes no drift', () => {
    test.each(Object.entries(least))('for %s', async (name, { requests, responses }) => {
      const operation = operations.find((each) => each.id === name);
      const statuses = operation && 'success' in operation ? [202] : [200, 201, 202, 203];
      const drifts: unknown[] = [];
      let current = { status: 200, type: '', text: '' };
      const server = opens(
        await rawServer(({ socket }) => {
          const { status, type, text } = current;
          socket.write(
            `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
          );
        }),
      );
      // Leaves out issues about differing amounts and methods, because every response is combined with every
      // request.
      const isOfShape = ({ message }: { message: string }) => !message.startsWith('differs from the request');
      const hooks = {
        onDrift: ({ issues }: DriftEvent) => void drifts.push(...issues.filter(isOfShape)),
      };
      const platform: PaymentPlatform = opens(clientOn(engine, server.url, { checks: 'document', hooks }));
      for (const [index, response] of responses.entries()) {
        for (const status of statuses) {
          const type = contentTypes[(index + status) % contentTypes.length] as string;
          current = { status, type, text: JSON.stringify(response) };
          for (const request of requests) await request(platform);
        }
      }
      expect(drifts).toEqual([]);
    });
  });
});
