import { PaymentPlatform, type ValidationError } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { afterAll, describe, expect, test } from 'vitest';
import { pf } from '../support/onboarding.js';
import { id, openCard, pix } from '../support/payments.js';

/** The package without types, so that a mistake gets past the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
type Loose = any;

const sandbox = createSandbox();
afterAll(() => sandbox.close());
const platform: Loose = new PaymentPlatform(sandbox.clientOptions());

const { card: _card, ...withoutCard } = openCard;
const boleto = { ...pix, paymentMethod: 'boleto' };
const vaultCard = { ...withoutCard, customer: undefined, card: { cardTokenId: 'tok_1' } };
const [item] = pix.items;
const cardWith = (fields: object) => ({ ...openCard, card: { ...openCard.card, ...fields } });
const customerWith = (fields: object) => ({ ...pix, customer: { ...pix.customer, ...fields } });
const documentWith = (document: object) => ({ ...pix, customer: { ...pix.customer, document } });
const itemWith = (fields: object) => ({ ...pix, items: [{ ...item, ...fields }] });
const number = '12345678909';

/** Calls an operation, and lists the issues of the check `field.name`. */
async function listIssues(id: keyof typeof calls, body: object): Promise<readonly string[]> {
  const error: ValidationError | undefined = await calls[id](body).then(
    () => undefined,
    (thrown: ValidationError) => thrown,
  );
  return (error?.issues ?? [])
    .filter(({ check }) => check === 'field.name')
    .map(({ path, message }) => `${path} ${message}`);
}

const calls = {
  pay: (body: object) => platform.payments.create(body),
  pf: (body: object) => platform.onboarding.submitPf({ ...pf, ...body }),
  pj: (body: object) => platform.onboarding.submitPj({ representativeName: 'Ana', ...body }),
  seller: (body: object) => platform.submerchants.create(body),
  update: (body: object) => platform.submerchants.update(id, body),
  webhook: (body: object) =>
    platform.webhooks.create({ webhook_url: 'https://shop.example', events: [], ...body }),
  domain: (body: object) => platform.domains.register({ domainName: 'shop.example', ...body }),
} as const;

describe('a field that goes out under another name is rejected with the right one', () => {
  test.each<[keyof typeof calls, object, name: string, meant: string]>([
    ['pay', { ...pix, expiration: 60 }, 'expiration', 'pix.expiration'],
    ['pay', { ...pix, expires: 60 }, 'expires', 'pix.expiration'],
    ['pay', { ...pix, expireIn: 60 }, 'expireIn', 'pix.expiration'],
    ['pay', { ...pix, expires_in: 60 }, 'expires_in', 'pix.expiration'],
    ['pay', { ...pix, EXPIRATION: 60 }, 'EXPIRATION', 'pix.expiration'],
    ['pay', { ...pix, expiraton: 60 }, 'expiraton', 'pix.expiration'],
    ['pay', { ...pix, pixExpiration: 60 }, 'pixExpiration', 'pix.expiration'],
    ['pay', { ...pix, pix_expires_in: 60 }, 'pix_expires_in', 'pix.expiration'],
    ['pay', { ...pix, 'pix.expiration': 60 }, 'pix.expiration', 'pix.expiration'],
    ['pay', { ...pix, expiracao: 60 }, 'expiracao', 'pix.expiration'],
    ['pay', { ...pix, expiração: 60 }, 'expiração', 'pix.expiration'],
    ['pay', { ...pix, validade: 60 }, 'validade', 'pix.expiration'],
    ['pay', { ...pix, expirationDate: '2030-01-01' }, 'expirationDate', 'pix.expiration'],
    [
      'pay',
      { ...pix, pix: { expiration: 1800 }, expiration: 60 },
      'expiration',
      'pix.expiration is also set',
    ],
    ['pay', { ...pix, pix: { expiration: 1800, expires: 60 } }, 'pix.expires', 'pix.expiration is also set'],
    ['pay', { ...pix, pix: { expireIn: 60 } }, 'pix.expireIn', 'pix.expiration'],
    ['pay', { ...pix, pix: { expire: 60 } }, 'pix.expire', 'pix.expiration'],
    ['pay', { ...pix, pix: { expiry: 60 } }, 'pix.expiry', 'pix.expiration'],
    ['pay', { ...pix, pix: { tempoDeExpiracao: 60 } }, 'pix.tempoDeExpiracao', 'pix.expiration'],
    ['pay', { ...pix, pix: { expirationDate: '2030-01-01' } }, 'pix.expirationDate', 'pix.expiration'],
    ['pay', customerWith({ expiration: 60 }), 'customer.expiration', 'pix.expiration'],
    ['pay', { ...pix, pixOptions: { expiration: 60 } }, 'pixOptions', 'pix'],
    ['pay', { ...boleto, expiration: '2030-01-01' }, 'expiration', 'boleto.expirationDate'],
    ['pay', { ...boleto, dueDate: '2030-01-01' }, 'dueDate', 'boleto.expirationDate'],
    ['pay', { ...boleto, vencimento: '2030-01-01' }, 'vencimento', 'boleto.expirationDate'],
    [
      'pay',
      { ...boleto, boleto: { dataDeVencimento: '2030-01-01' } },
      'boleto.dataDeVencimento',
      'boleto.expirationDate',
    ],
    [
      'pay',
      { ...boleto, boleto: { expiryDate: '2030-01-01' } },
      'boleto.expiryDate',
      'boleto.expirationDate',
    ],
    ['pay', { ...boleto, boleto_due_date: '2030-01-01' }, 'boleto_due_date', 'boleto.expirationDate'],
    [
      'pay',
      { ...boleto, boleto: { expiration: '2030-01-01' } },
      'boleto.expiration',
      'boleto.expirationDate',
    ],
    ['pay', { ...openCard, parcelas: 3 }, 'parcelas', 'card.installments'],
    ['pay', { ...openCard, installmnts: 3 }, 'installmnts', 'card.installments'],
    ['pay', { ...openCard, card_installments: 3 }, 'card_installments', 'card.installments'],
    ['pay', { ...vaultCard, customer: undefined, parcelas: 3 }, 'parcelas', 'card.installments'],
    ['pay', cardWith({ numeroParcelas: 3 }), 'card.numeroParcelas', 'card.installments'],
    ['pay', cardWith({ quantidadeParcelas: 3 }), 'card.quantidadeParcelas', 'card.installments'],
    ['pay', cardWith({ quantidade_de_parcelas: 3 }), 'card.quantidade_de_parcelas', 'card.installments'],
    ['pay', cardWith({ numberOfInstalments: 3 }), 'card.numberOfInstalments', 'card.installments'],
    ['pay', cardWith({ installmentNumber: 3 }), 'card.installmentNumber', 'card.installments'],
    ['pay', { ...openCard, numeroDeParcelas: 3 }, 'numeroDeParcelas', 'card.installments'],
    [
      'pay',
      { ...openCard, customer: { ...pix.customer, installments: 3 } },
      'customer.installments',
      'card.installments',
    ],
    ['pay', documentWith({ number, tipo: 'cpf' }), 'customer.document.tipo', 'customer.document.type'],
    [
      'pay',
      documentWith({ number, type: 'cpf', tipo: 'cnpj' }),
      'customer.document.tipo',
      'customer.document.type is also set',
    ],
    [
      'pay',
      documentWith({ type: 'cpf', numero: number }),
      'customer.document.numero',
      'customer.document.number',
    ],
    ['pay', documentWith({ type: 'cpf', cpf: number }), 'customer.document.cpf', 'customer.document.number'],
    ['pay', customerWith({ cpf: '98765432100' }), 'customer.cpf', 'customer.document.number is also set'],
    [
      'pay',
      { ...pix, customer: { name: 'Ana', documento: { number } } },
      'customer.documento',
      'customer.document',
    ],
    ['pay', { ...pix, customer: { nome: 'Ana' } }, 'customer.nome', 'customer.name'],
    ['pay', itemWith({ preco: 2990 }), 'items.0.preco', 'items.0.unitPrice is also set'],
    ['pay', itemWith({ preço: 2990 }), 'items.0.preço', 'items.0.unitPrice is also set'],
    ['pay', itemWith({ unit_price: 2990 }), 'items.0.unit_price', 'items.0.unitPrice is also set'],
    ['pay', itemWith({ quantidade: 7 }), 'items.0.quantidade', 'items.0.quantity is also set'],
    ['pay', { ...pix, split_rules: [{}] }, 'split_rules', 'split'],
    ['pay', { ...pix, recebedores: [{}] }, 'recebedores', 'split'],
    ['pay', { ...pix, sub_merchant: {} }, 'sub_merchant', 'subMerchant'],
    ['pay', { ...pix, subMerchant: { documento: {} } }, 'subMerchant.documento', 'subMerchant.document'],
    ['pay', { ...pix, subMerchant: { cnpj: '1' } }, 'subMerchant.cnpj', 'subMerchant.document.number'],
    ['pay', { ...openCard, three_ds: {} }, 'three_ds', 'threeDSData'],
    ['pay', { ...openCard, threedsdata: {} }, 'threedsdata', 'threeDSData'],
    ['pay', { ...openCard, apple_pay: {} }, 'apple_pay', 'wallet'],
    ['pay', { ...pix, client_ip: '192.0.2.1' }, 'client_ip', 'clientIp'],
    ['pay', { ...pix, soft_descriptor: 'SHOP' }, 'soft_descriptor', 'statementDescriptor'],
    ['pay', { ...pix, metodoPagamento: 'boleto' }, 'metodoPagamento', 'paymentMethod is also set'],
    ['pf', { complemento: 'ap 7' }, 'complemento', 'addressComplement'],
    ['pf', { e_mail: 'ana@example.com', email: undefined }, 'e_mail', 'email'],
    ['pj', { CNPJ: '11222333000181' }, 'CNPJ', 'cnpj'],
    ['pj', { cpf: number }, 'cpf', 'representativeCpf'],
    ['pj', { dataNascimento: '1990-01-01' }, 'dataNascimento', 'birthDate'],
    ['pj', { telefone: '+5511912345678' }, 'telefone', 'phone'],
    ['pj', { contrato_social: new Uint8Array([1]) }, 'contrato_social', 'contratoSocial'],
    ['pj', { documentFront: new Uint8Array([1]) }, 'documentFront', 'documentoFrente'],
    ['seller', { phone: '1', cnpj: '11222333000181' }, 'cnpj', 'documentNumber'],
    ['seller', { phone: '1', document_number: '11222333000181' }, 'document_number', 'documentNumber'],
    ['update', { phone: '1', cep: '01310-100' }, 'cep', 'addressZipCode'],
    ['update', { phone: '1', addressNumber: '7' }, 'addressNumber', 'addressStreetNumber'],
    ['update', { phone: '1', endereco: { rua: 'A' } }, 'endereco', 'addressStreet'],
    ['update', { phone: '1', city: 'Recife' }, 'city', 'addressCity'],
    ['webhook', { segredo: 'whsec_0123456789abcdef' }, 'segredo', 'hmac_secret'],
    ['webhook', { hmacSecret: 'whsec_0123456789abcdef' }, 'hmacSecret', 'hmac_secret'],
    ['webhook', { signing_secret: 'whsec_0123456789abcdef' }, 'signing_secret', 'hmac_secret'],
    ['webhook', { eventos: ['transaction.paid'], events: undefined }, 'eventos', 'events'],
    ['domain', { dominio: 'other.example' }, 'dominio', 'domainName is also set'],
  ])('%s %j: %s means %s', async (call, body, name, meant) => {
    const issues = await listIssues(call, body);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(new RegExp(`^${name.replace('.', '\\.')} is not in the API docs`));
    expect(issues[0]).toContain(meant);
  });
});

test.each<[string, object, method: string]>([
  ['expirationDate', { ...openCard, expirationDate: '2030-01-01' }, 'boleto'],
  ['dueDate', { ...openCard, dueDate: '2030-01-01' }, 'pix'],
  ['boletoExpirationDate', { ...pix, pix: { expiration: 60 }, boletoExpirationDate: '2030-01-01' }, 'boleto'],
  ['expiration', { ...openCard, expiration: 60 }, 'pix'],
  ['installments', { ...pix, installments: 3 }, 'credit_card'],
  ['parcelas', { ...boleto, parcelas: 3 }, 'credit_card'],
  ['cvv', { ...pix, cvv: '123' }, 'credit_card'],
  ['cardTokenId', { ...boleto, cardTokenId: 'tok_1' }, 'credit_card'],
])('a top-level %s of another payment method is rejected', async (name, body, method) => {
  const issues = await listIssues('pay', body);
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatch(
    new RegExp(`^${name} is not in the API docs for this payment method.* for ${method}\\.`),
  );
});

test.each([
  ['boleto', { ...boleto, pix: { expiration: 60 } }],
  ['credit_card', { ...openCard, pix: { expiration: 60 } }],
])('a payment by %s with a pix object is rejected by the SDK and by the sandbox', async (_method, body) => {
  expect(await listIssues('pay', body)).toEqual([
    "pix is only for paymentMethod 'pix', so its expiration would have no effect. Remove it",
  ]);
  const unchecked: Loose = new PaymentPlatform({ ...sandbox.clientOptions(), checks: 'document' });
  await expect(unchecked.payments.create(body)).rejects.toMatchObject({ status: 400 });
});

test.each<[keyof typeof calls, object]>([
  ['pay', customerWith({ phone: '+5511912345678', id: 'c-1', type: 'individual', birthDate: '1990-01-01' })],
  ['pay', customerWith({ address: { street: 'Rua A', number: '1', zipCode: '01310100', city: 'Recife' } })],
  ['pay', customerWith({ cpf: '123.456.789-09', ip: '192.0.2.1', externalId: 'c-1', gender: 'f' })],
  [
    'pay',
    itemWith({ id: '1', sku: 'a', description: 'Moído', category: 'food', name: 'Café', amount: 1990 }),
  ],
  ['pay', itemWith({ price: '1990', expirationDate: '2030-01-01', number: 7, value: 3980, tangible: true })],
  [
    'pay',
    { ...pix, description: 'Order', currency: 'BRL', notes: '', capture: true, number: 1042, type: 'sale' },
  ],
  ['pay', { ...pix, externalId: 'a', orderId: 'b', reference: 'c', notificationUrl: 'https://shop.example' }],
  ['pay', { ...pix, shipping: { address: {}, amount: 1, name: 'Ana' }, billing: {}, url: 'a', total: 7 }],
  ['pay', { ...pix, metadata: { expiration: 60, installments: 3, tipo: 'a', split_rules: [] } }],
  ['pay', { ...vaultCard, number: 1042, month: 11, year: 2026, description: 'x' }],
  ['pay', cardWith({ brand: 'visa', cpf: '98765432100', billingAddress: {}, last4: '4444', type: 'credit' })],
  ['pay', cardWith({ installments: 3, parcelas: '3' })],
  ['pay', cardWith({ expiry: '11/30', expire: 1, dedo: 1, codeDa: 1 })],
  ['pay', { ...pix, pix: { expiration: 60 }, expiration: 60, expiresIn: '60' }],
  [
    'seller',
    { phone: '1', name: 'Ana', email: 'ana@example.com', documentNumber: number, type: 'pf', mobile: '2' },
  ],
  [
    'pj',
    { legalName: 'A', companyName: 'B', cnpj: '11222333000181', document: 'x', website: 'https://a.example' },
  ],
  ['update', { phone: '1', mobile: '2', website: 'https://a.example' }],
  ['webhook', { description: 'Shop', name: 'shop', version: 2 }],
])('ordinary extra fields pass: %s %j', async (call, body) => {
  expect(await listIssues(call, body)).toEqual([]);
});
