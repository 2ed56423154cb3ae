import { expect, test } from 'vitest';
import { paymentMethods } from '../../src/contract/payments/methods.js';
import { diagnose as compile, isTypeScript7 } from '../support/compile.js';

const prelude = `
import type { PaymentPlatform } from '../../src/index.js';
declare const platform: PaymentPlatform;
const items = [{ title: 'Café', quantity: 1, unitPrice: 1990 }];
const customer = { name: 'Ana', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } };
const selfie = new Uint8Array();
const person = { document: '1', fullName: 'Ana', birthDate: '1990-01-01', phone: '+55', addressZipCode: '0', addressStreet: 'x', addressNumber: '1', addressNeighborhood: 'x', addressCity: 'x', addressState: 'SP', bankAccount: { bankAccountType: 'conta_corrente' as const, bankName: 'x', bankCode: '001', bankAgency: '1', bankAccount: '1', bankAccountDv: '1', ispb: '00000000' } };
const card = { number: '4111111111111111', cvv: '737', holderName: 'ANA', expirationMonth: 12, expirationYear: 2030 };
`;

/** Returns TypeScript's output for each code snippet in a merchant's project. */
function diagnose(snippets: Record<string, string>): Record<string, string> {
  const names = Object.keys(snippets);
  const path = (name: string) => `test/types/snippet-${names.indexOf(name)}.ts`;
  const printed = compile(
    Object.fromEntries(names.map((name) => [path(name), `${prelude}${snippets[name]}\n`])),
  );
  return Object.fromEntries(names.map((name) => [name, printed[path(name)] ?? '']));
}

const methods = paymentMethods
  .map((method) => `"${method}"`)
  .sort()
  .join(' | ');

/** Sorts the members of unions, because each version of TypeScript has its own order. */
const inOrder = (text: string) =>
  text.replaceAll(/"\w+"(?: \| "\w+")+/g, (union) => union.split(' | ').sort().join(' | '));

test('the most common mistakes are type errors that name the field and state the rule', () => {
  const printed = diagnose({
    'Pix without customer': `platform.payments.create({ amount: 1990, paymentMethod: 'pix', items });`,
    'vault card with customer': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer, card: { cardTokenId: 't' } });`,
    'card and wallet': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer, card, wallet: {} });`,
    'boleto options with Pix': `platform.payments.create({ amount: 1990, paymentMethod: 'pix', items, customer, boleto: {} });`,
    'amount as text': `platform.payments.create({ amount: '19.90', paymentMethod: 'pix', items, customer });`,
    'upsell with 3DS': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, card: { upsellToken: 't' }, threeDSData: {} });`,
    'open card without CVV': `const { cvv, ...rest } = card; platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer, card: rest });`,
    'open card without customer': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, card });`,
    'a token and a PAN': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, card: { cardTokenId: 't', number: '4' } });`,
    'wallet with Pix': `platform.payments.create({ amount: 1990, paymentMethod: 'pix', items, customer, wallet: {} });`,
    'a method in capitals': `platform.payments.create({ amount: 1990, paymentMethod: 'PIX', items, customer });`,
    'an incomplete open card': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer, card: { number: '4' } });`,
    'a CVV as number': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer, card: { ...card, cvv: 737 } });`,
    'no card at all': `platform.payments.create({ amount: 1990, paymentMethod: 'credit_card', items, customer });`,
    'a misspelt field': `platform.payments.create({ amount: 1990, paymentMethod: 'pix', items, customer, externalID: 'x' });`,
    'a misspelt option': `platform.payments.create({ amount: 1990, paymentMethod: 'pix', items, customer }, { idempotencykey: 'x' });`,
  });
  const lastLines = Object.fromEntries(
    Object.entries(printed).map(([name, text]) => [
      name,
      `${text.split('\n')[0]?.slice(0, 24)}: ${inOrder(text.split('\n').at(-1)?.trim() ?? '')}`,
    ]),
  );
  expect(lastLines).toEqual({
    'Pix without customer': `{ amount: 1990, paymentM: Property 'customer' is missing in type '{ amount: number; paymentMethod: "pix"; items: { title: string; quantity: number; unitPrice: number; }[]; }' but required in type 'PixPayment'.`,
    'vault card with customer': `{ amount: 1990, paymentM: Property '[rule]' is missing in type '{ name: string; email: string; document: { number: string; type: string; }; }' but required in type 'Absent<"customer is not sent with cardTokenId">'.`,
    'card and wallet': "wallet: Type '{}' is not assignable to type 'undefined'.",
    'boleto options with Pix':
      "boleto: Object literal may only specify known properties, and 'boleto' does not exist in type 'PixPayment'.",
    'amount as text': "amount: Type 'string' is not assignable to type 'number'.",
    'upsell with 3DS': `threeDSData: Property '[rule]' is missing in type '{}' but required in type 'Absent<"threeDSData is not sent with upsellToken">'.`,
    'open card without CVV':
      "card: Property 'cvv' is missing in type '{ number: string; holderName: string; expirationMonth: number; expirationYear: number; }' but required in type 'OpenCard'.",
    'open card without customer': `{ amount: 1990, paymentM: Property 'customer' is missing in type '{ amount: number; paymentMethod: "credit_card"; items: { title: string; quantity: number; unitPrice: number; }[]; card: { number: string; cvv: string; holderName: string; expirationMonth: number; expirationYear: number; }; }' but required in type 'OpenCardPayment'.`,
    'a token and a PAN': `cardTokenId: Type 'string' is not assignable to type 'Absent<"raw card data, cardTokenId or upsellToken, and only one of them">'.`,
    'wallet with Pix':
      "wallet: Object literal may only specify known properties, and 'wallet' does not exist in type 'PixPayment'.",
    'a method in capitals': `paymentMethod: Type '"PIX"' is not assignable to type '${methods}'. Did you mean '"pix"'?`,
    'an incomplete open card':
      "card: Type '{ number: string; }' is missing the following properties from type 'OpenCard': cvv, holderName, expirationMonth, expirationYear",
    'a CVV as number': "cvv: Type 'number' is not assignable to type 'string'.",
    'no card at all': `{ amount: 1990, paymentM: Property 'card' is missing in type '{ amount: number; paymentMethod: "credit_card"; items: { title: string; quantity: number; unitPrice: number; }[]; customer: { name: string; email: string; document: { number: string; type: string; }; }; }' but required in type 'OpenCardPayment'.`,
    'a misspelt field':
      "externalID: Object literal may only specify known properties, but 'externalID' does not exist in type 'PixPayment'. Did you mean to write 'externalId'?",
    'a misspelt option':
      "idempotencykey: Object literal may only specify known properties, but 'idempotencykey' does not exist in type 'CallOptions'. Did you mean to write 'idempotencyKey'?",
    // TypeScript 7 compares with another of several similar types.
    ...(isTypeScript7 && {
      'a token and a PAN': `number: Type 'string' is not assignable to type 'Absent<"cardTokenId is sent without a PAN">'.`,
      'an incomplete open card': `number: Type 'string' is not assignable to type 'Absent<"cardTokenId is sent without a PAN">'.`,
      'no card at all': `{ amount: 1990, paymentM: Property 'wallet' is missing in type '{ amount: number; paymentMethod: "credit_card"; items: { title: string; quantity: number; unitPrice: number; }[]; customer: { name: string; email: string; document: { number: string; type: string; }; }; }' but required in type 'WalletFields'.`,
    }),
  });
});

test.each([
  `const order = { amount: 1990, paymentMethod: 'pix', items, customer };`,
  `const order = { amount: 1990, paymentMethod: 'boleto', items };`,
  `const order = { amount: 1990, paymentMethod: 'credit_card', items, card: { cardTokenId: 't' } };`,
  'const order = { amount: 1990, items, customer };',
  'const order = { amount: 1990, items };',
])('payments.create(order) has a type error that names only paymentMethod: %s', (order) => {
  const { printed = '' } = diagnose({ printed: `${order} platform.payments.create(order);` });
  const reasons = printed.split('\n').filter((line) => /propert/i.test(line));
  expect(reasons).toEqual([expect.stringMatching(/^ *(Property|Types of property) 'paymentMethod'/)]);
});

test('mistakes with sub-accounts, documents and certificates are type errors', () => {
  const printed = diagnose({
    'a seller without a document': `platform.onboarding.submitPf({ ...person, selfie });`,
    'the front alone': `platform.onboarding.submitPf({ ...person, selfie, documentoFrente: selfie });`,
    'the old selfie': `platform.onboarding.submitPf({ ...person, selfie, cnhCompleta: selfie, selfieComDocumento: selfie });`,
    'a number as file': `platform.onboarding.submitPf({ ...person, selfie: 42, cnhCompleta: selfie });`,
    'a bank account without ISPB': `const { ispb, ...rest } = person.bankAccount; platform.onboarding.submitPf({ ...person, selfie, cnhCompleta: selfie, bankAccount: rest });`,
    'another kind of account': `platform.onboarding.submitPf({ ...person, selfie, cnhCompleta: selfie, bankAccount: { ...person.bankAccount, bankAccountType: 'corrente' } });`,
    'status in an update': `platform.submerchants.update('id', { status: 'active' });`,
    'a record as id': `platform.submerchants.withdrawals.retrieve({ withdraw_id: 42 });`,
    'a number as secret': `platform.webhooks.update('id', { hmac_secret: 0 });`,
    'another type of certificate': `platform.certificates.list({ type: 'google_pay' });`,
    'waiting for nothing': `platform.onboarding.waitFor('id', {});`,
    'no domain name': `platform.domains.register({ domain: 'shop.example' });`,
    'auth of a call': `platform.webhooks.list({ auth: 'basic' });`,
  });
  const lastLines = Object.fromEntries(
    Object.entries(printed).map(([name, text]) => [name, text.split('\n').at(-1)?.trim()]),
  );
  expect(lastLines).toEqual({
    'a seller without a document':
      "Property 'cnhCompleta' is missing in type '{ selfie: Uint8Array<ArrayBuffer>; document: string; fullName: string; birthDate: string; phone: string; addressZipCode: string; addressStreet: string; addressNumber: string; addressNeighborhood: string; addressCity: string; addressState: string; bankAccount: { ...; }; }' but required in type 'DriversLicence'.",
    'the front alone':
      "Property 'cnhCompleta' is missing in type '{ selfie: Uint8Array<ArrayBuffer>; documentoFrente: Uint8Array<ArrayBuffer>; document: string; fullName: string; birthDate: string; ... 7 more ...; bankAccount: { ...; }; }' but required in type 'DriversLicence'.",
    'the old selfie': `Property '[rule]' is missing in type 'Uint8Array<ArrayBuffer>' but required in type 'Absent<"Use selfie">'.`,
    'a number as file': "Type 'number' is not assignable to type 'FileInput'.",
    'a bank account without ISPB': `Property 'ispb' is missing in type '{ bankAccountType: "conta_corrente"; bankName: string; bankCode: string; bankAgency: string; bankAccount: string; bankAccountDv: string; }' but required in type 'BankAccount'.`,
    'another kind of account': `Type '"corrente"' is not assignable to type '"conta_corrente" | "conta_poupanca"'.`,
    'status in an update':
      "Object literal may only specify known properties, and 'status' does not exist in type 'UpdateSubmerchant'.",
    'a record as id':
      "Argument of type '{ withdraw_id: number; }' is not assignable to parameter of type 'string | number'.",
    'a number as secret': "Type 'number' is not assignable to type 'string'.",
    'another type of certificate': `Type '"google_pay"' is not assignable to type '"apple_pay_payment_processing"'.`,
    'waiting for nothing':
      "Property 'until' is missing in type '{}' but required in type 'WaitForOptions<object>'.",
    'no domain name':
      "Object literal may only specify known properties, and 'domain' does not exist in type 'RegisterDomain'.",
    'auth of a call': `Type '"basic"' is not assignable to type '"headers" | "oauth" | "both" | undefined'.`,
    ...(isTypeScript7 && {
      'a seller without a document':
        "Type '{ document: string; fullName: string; birthDate: string; phone: string; addressZipCode: string; addressStreet: string; addressNumber: string; addressNeighborhood: string; addressCity: string; addressState: string; bankAccount: { bankAccountType: 'conta_corrente'; bankName: string; bankCode: string; bankAgency: strin...' is missing the following properties from type 'IdentityCard': documentoFrente, documentoVerso",
      'the front alone':
        "Property 'documentoVerso' is missing in type '{ document: string; fullName: string; birthDate: string; phone: string; addressZipCode: string; addressStreet: string; addressNumber: string; addressNeighborhood: string; addressCity: string; addressState: string; bankAccount: { bankAccountType: 'conta_corrente'; bankName: string; bankCode: string; bankAgency: strin...' but required in type 'IdentityCard'.",
      'auth of a call': `Type '"basic"' is not assignable to type '"both" | "headers" | "oauth" | undefined'.`,
    }),
  });
});

test('correct code compiles, for all six kinds of payment and for events narrowed by their name', () => {
  const printed = diagnose({
    shapes: `
      const order = { amount: 1990, items };
      platform.payments.create({ ...order, paymentMethod: 'pix', customer, pix: { expiration: 60 } });
      platform.payments.create({ ...order, paymentMethod: 'boleto', boleto: { expirationDate: '2026-12-01' } });
      platform.payments.create({ ...order, paymentMethod: 'credit_card', customer, card, threeDSData: {} });
      platform.payments.create({ ...order, paymentMethod: 'credit_card', card: { cardTokenId: 't' } });
      platform.payments.create({ ...order, paymentMethod: 'credit_card', card: { upsellToken: 't' } });
      platform.payments.create({ ...order, paymentMethod: 'credit_card', wallet: {}, split: [{}] }, { idempotencyKey: null });`,
    events: `
      const event = platform.webhooks.verify({ body: '', headers: {} }, 's');
      switch (event.event) {
        case 'transaction.paid': { const id: string | undefined = event.id; const name: 'transaction.paid' = event.event; void [id, name]; break; }
        case 'transaction.refused': void event.refusalReason; break;
        default: { const name: string = event.event; void name; }
      }`,
    receiver: `
      import { createReceiver, type PostgresDedupeOptions, type PostgresPool, postgresDedupe } from '../../src/webhooks/index.js';
      const receiver = createReceiver({
        secret: async () => ['s'],
        on: {
          'transaction.paid': async (event, delivery) => { const name: 'transaction.paid' = event.event; const id: string | undefined = event.id; const nothing: undefined = delivery.transaction; void [name, id, nothing, delivery.secretIndex]; },
          'transaction.status.updated': (event) => void event.status,
        },
        onUnhandled: (event) => { const name: string = event.event; switch (event.event) { case 'transaction.paid': void event.amount; break; default: void name; } },
        onRejected: (error) => { if (error.reason === 'body-too-large') void error; },
      });
      declare const pool: PostgresPool;
      declare const options: PostgresDedupeOptions;
      createReceiver({ secret: 's', dedupe: postgresDedupe(pool, options) });
      createReceiver({ secret: 's', dedupe: postgresDedupe(pool, { transaction: true }), on: { 'transaction.paid': (event, { transaction }) => transaction.query('SELECT 1', [event.id]) } });
      createReceiver({ secret: 's', dedupe: postgresDedupe(pool), on: { 'transaction.paid': (_, { transaction }) => { const none: undefined = transaction; void none; } } });
      const { outcome, status } = await receiver.receive({ body: '', headers: {} }); const handled: boolean = outcome === 'handled'; void [handled, status];
      export const POST: (request: Request) => Promise<Response> = receiver.fetch;`,
    'every kind of file': `
      declare const node: NodeJS.ReadableStream; declare const web: ReadableStream<Uint8Array>;
      for (const file of ['./a.jpg', selfie, Buffer.from(''), selfie.buffer as ArrayBuffer, new Blob([]), new File([], 'a'), node, web, () => web, async () => web, new URL('file:///a'), { content: node, filename: 'a.jpg', contentType: 'image/jpeg' }])
        platform.onboarding.submitPf({ ...person, selfie: file, documentoFrente: './a', documentoVerso: web }, { onUploadProgress: ({ sent, total }) => void [sent, total] });`,
    'the rest of the platform': `
      platform.onboarding.submitPj({});
      platform.submerchants.create({ documentNumber: '1', anything: { at: ['all'] }, logo: { content: new URL('file:///logo.png'), filename: 'logo.png' } });
      platform.webhooks.update('id', { hmac_secret: null });
      platform.certificates.activate('id', { certificate: Buffer.from('') });
      const { data } = await platform.domains.list();
      const served: Response | undefined = data[0] && platform.domains.verificationResponse(data[0]);
      const status = await platform.onboarding.waitFor('id', { until: ['approved'] });
      const again: boolean = status.can_resubmit; void [served, again];
      export {};`,
    statuses: `
      const payment = await platform.payments.create({ amount: 1990, paymentMethod: 'pix', items, customer });
      const status: string = payment.status;
      if (payment.status === 'a status of tomorrow') void status;
      const bytes: Uint8Array = (await platform.payments.boleto(payment.id)).bytes; void bytes;
      export {};`,
  });
  expect(printed).toEqual({
    shapes: '',
    events: '',
    receiver: '',
    'every kind of file': '',
    'the rest of the platform': '',
    statuses: '',
  });
});
