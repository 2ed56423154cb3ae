import { PaymentPlatform, type ValidationError } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { afterAll, expect, test, vi } from 'vitest';
import { pf } from '../support/onboarding.js';
import { openCard, pix } from '../support/payments.js';

/** The package without types, so that a mistake gets past the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
type Loose = any;

const sandbox = createSandbox({ rateLimits: false });
afterAll(() => sandbox.close());
const options = sandbox.clientOptions();
const platform: Loose = new PaymentPlatform(options);
const unchecked: Loose = new PaymentPlatform({ ...options, checks: 'document' });

const { customer, ...anonymous } = pix;
const cardWith = (fields: object) => (to: Loose) =>
  to.payments.create({ ...openCard, card: { ...openCard.card, ...fields } });
const documentWith = (document: object) => (to: Loose) =>
  to.payments.create({ ...anonymous, customer: { ...customer, document } });
const ownerWith = (document: object) => (to: Loose) =>
  to.payments.create({ ...pix, subMerchant: { document } });
const itemWith = (fields: object) => (to: Loose) =>
  to.payments.create({
    ...pix,
    items: [...pix.items, { title: 'Mug', quantity: 1, unitPrice: 0, ...fields }],
  });
const pfWith = (fields: object) => (to: Loose) => to.onboarding.submitPf({ ...pf, ...fields });
const pjWith = (fields: object) => (to: Loose) => to.onboarding.submitPj(fields);
const sellerWith = (fields: object) => (to: Loose) => to.submerchants.create(fields);
const vaultWith = (fields: object) => (to: Loose) =>
  to.vault.tokenize({ number: openCard.card.number, ...fields });

const now = new Date();
const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth() + 1];

type Call = (to: Loose) => Promise<unknown>;

test.each<[string, Call, path: string, says: string]>([
  ['0 instalments', cardWith({ installments: 0 }), 'card.installments', 'must be at least 1'],
  ['-1 instalments', cardWith({ installments: -1 }), 'card.installments', 'must be at least 1'],
  [
    '0 instalments of a vault card',
    (to) =>
      to.payments.create({ ...openCard, customer: undefined, card: { cardTokenId: 't', installments: 0 } }),
    'card.installments',
    'must be at least 1',
  ],
  ['a year of two digits', cardWith({ expirationYear: 30 }), 'card.expirationYear', 'must have four digits'],
  [
    'a year of five digits',
    cardWith({ expirationYear: 20_300 }),
    'card.expirationYear',
    'must have four digits',
  ],
  ['month 13', cardWith({ expirationMonth: 13 }), 'card.expirationMonth', 'must be an integer from 1 to 12'],
  ['month 0', cardWith({ expirationMonth: 0 }), 'card.expirationMonth', 'must be an integer from 1 to 12'],
  [
    'a card that expired',
    cardWith({ expirationYear: 2020 }),
    'card.expirationYear',
    'is in the past, so the card has expired',
  ],
  [
    'a vault request with month 13',
    vaultWith({ expirationMonth: 13 }),
    'expirationMonth',
    'must be an integer from 1 to 12',
  ],
  [
    'a vault request with the year 30',
    vaultWith({ expirationYear: 30 }),
    'expirationYear',
    'must have four digits',
  ],
  [
    'a card number with two digits swapped',
    cardWith({ number: '4111111111111114' }),
    'card.number',
    'has a wrong check digit',
  ],
  [
    'a card number with spaces and a wrong digit',
    cardWith({ number: '4111 1111 1111 1112' }),
    'card.number',
    'has a wrong check digit',
  ],
  [
    'a vault request with a wrong card number',
    vaultWith({ number: '4111111111111112' }),
    'number',
    'has a wrong check digit',
  ],
  [
    'a vault request with a wrong number in a card',
    (to) => to.vault.tokenize({ card: { number: '4111111111111112' } }),
    'card.number',
    'has a wrong check digit',
  ],
  ['an item with the quantity 0', itemWith({ quantity: 0 }), 'items.1.quantity', 'must be at least 1'],
  ['an item with a negative quantity', itemWith({ quantity: -2 }), 'items.1.quantity', 'must be at least 1'],
  [
    'a CNPJ with the type cpf',
    documentWith({ number: '11222333000181', type: 'cpf' }),
    'customer.document.number',
    'is a CNPJ, but its type is cpf',
  ],
  [
    'a CNPJ with punctuation and the type CPF',
    documentWith({ number: '11.222.333/0001-81', type: 'CPF' }),
    'customer.document.number',
    'is a CNPJ, but its type is cpf',
  ],
  [
    'a CPF with the type cnpj',
    documentWith({ number: '12345678909', type: 'cnpj' }),
    'customer.document.number',
    'is a CPF, but its type is cnpj',
  ],
  [
    'a CPF of ten digits',
    documentWith({ number: '1234567890', type: 'cpf' }),
    'customer.document.number',
    'is not a CPF',
  ],
  [
    'a repeated digit',
    documentWith({ number: '11111111111', type: 'cpf' }),
    'customer.document.number',
    'repeats one digit',
  ],
  [
    'a repeated digit without a type',
    documentWith({ number: '000.000.000-00' }),
    'customer.document.number',
    'repeats one digit',
  ],
  [
    'a CPF with wrong check digits',
    documentWith({ number: '123.456.789-00', type: 'cpf' }),
    'customer.document.number',
    'has wrong check digits',
  ],
  [
    'a CNPJ with wrong check digits',
    documentWith({ number: '11222333000180', type: 'cnpj' }),
    'customer.document.number',
    'has wrong check digits',
  ],
  [
    'a CNPJ with letters and wrong check digits',
    documentWith({ number: '12.ABC.345/01DE-36', type: 'cnpj' }),
    'customer.document.number',
    'has wrong check digits',
  ],
  [
    'an owner with a repeated digit',
    ownerWith({ number: '11111111111', type: 'cpf' }),
    'subMerchant.document.number',
    'repeats one digit',
  ],
  [
    'an owner with wrong check digits and no type',
    ownerWith({ number: '12345678900' }),
    'subMerchant.document.number',
    'has wrong check digits',
  ],
  [
    'an owner’s CNPJ with the type cpf',
    ownerWith({ number: '11222333000181', type: 'cpf' }),
    'subMerchant.document.number',
    'is a CNPJ, but its type is cpf',
  ],
  ['an individual’s repeated digit', pfWith({ document: '22222222222' }), 'document', 'repeats one digit'],
  ['an individual’s check digits', pfWith({ document: '12345678900' }), 'document', 'has wrong check digits'],
  [
    'an individual born in the future',
    pfWith({ birthDate: '2190-01-01' }),
    'birthDate',
    'is not the birth date of a living person',
  ],
  [
    'an individual born in 1790',
    pfWith({ birthDate: '1790-01-01' }),
    'birthDate',
    'is not the birth date of a living person',
  ],
  ['a company’s check digits', pjWith({ cnpj: '11222333000180' }), 'cnpj', 'has wrong check digits'],
  [
    'a representative’s check digits',
    pjWith({ representativeCpf: '12345678900' }),
    'representativeCpf',
    'has wrong check digits',
  ],
  [
    'a company born in the future',
    pjWith({ birthDate: '2190-01-01' }),
    'birthDate',
    'is not the birth date of a living person',
  ],
  [
    'a sub-account’s CPF with the type cnpj',
    sellerWith({ documentNumber: '12345678909', documentType: 'cnpj' }),
    'documentNumber',
    'is a CPF, but its type is cnpj',
  ],
  [
    'a sub-account’s check digits without a type',
    sellerWith({ documentNumber: '11222333000180' }),
    'documentNumber',
    'has wrong check digits',
  ],
])('the SDK and the sandbox reject %s', async (_name, call, path, says) => {
  const error = (await call(platform).catch((thrown: unknown) => thrown)) as ValidationError;
  expect(error.issues.map((issue) => issue.path)).toEqual([path]);
  expect(error.message).toContain(`${path} ${says}`);
  expect(error.message).not.toMatch(/\d{8,}/);
  await expect(call(unchecked)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(says),
  });
});

test.each<[string, Call]>([
  ['a card in its last month', cardWith({ expirationYear: thisYear, expirationMonth: thisMonth })],
  ['one instalment', cardWith({ installments: 1 })],
  ['a card number with spaces', cardWith({ number: '4111 1111 1111 1111' })],
  ['a card number that a proxy replaces on its way', cardWith({ number: 'alias-1' })],
  ['an item that is free', itemWith({ unitPrice: 0 })],
  ['a CPF with punctuation', documentWith({ number: '529.982.247-25', type: 'CPF' })],
  ['a CNPJ with letters', documentWith({ number: '12.abc.345/01DE-35', type: 'cnpj' })],
  ['a passport', documentWith({ number: '11111111111', type: 'passport' })],
  ['a foreign number without a type', documentWith({ number: '12345678900' })],
  ['a document without a number', documentWith({ type: 'cpf' })],
  ['an individual born today', pfWith({ birthDate: now.toISOString().slice(0, 10) })],
  ['an individual who is 110', pfWith({ birthDate: `${thisYear - 110}-01-01` })],
  ['a company with letters in its CNPJ', pjWith({ cnpj: '12ABC34501DE35' })],
  ['a sub-account with another type', sellerWith({ documentNumber: '11222333000181', documentType: 'PJ' })],
])('the SDK sends %s', async (_name, call) => {
  await expect(call(platform)).resolves.toBeDefined();
});

test('a card counts as expired only after its month has ended in every time zone', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const pay = cardWith({ expirationMonth: 12, expirationYear: 2030 });
    vi.setSystemTime(new Date('2031-01-01T11:59:00Z'));
    await expect(pay(platform)).resolves.toBeDefined();
    vi.setSystemTime(new Date('2031-01-02T00:01:00Z'));
    await expect(pay(platform)).rejects.toThrow('card.expirationYear is in the past');
  } finally {
    vi.useRealTimers();
  }
});
