import { describe, expect, test } from 'vitest';
import { PersonalData, personalTextsIn } from '../../../src/transport/redact/personal-data.js';
import { Scrubber } from '../../../src/transport/redact/scrubber.js';

/** A scrubber that knows what a body holds. */
const scrubberFor = (body: unknown = {}) => new Scrubber([], [], new PersonalData(personalTextsIn(body)));
const hidden = '[redacted]';

describe('fields', () => {
  test.each([
    [{ email: 'x' }, { email: hidden }],
    [{ contact_email: 'x' }, { contact_email: hidden }],
    [{ phone: 5511 }, { phone: hidden }],
    [{ CPF: '1' }, { CPF: hidden }],
    [{ representativeCnpj: '1' }, { representativeCnpj: hidden }],
    [
      { fullName: 'x', birthDate: 'x' },
      { fullName: hidden, birthDate: hidden },
    ],
    [
      { holderName: 'x', nome: 'x' },
      { holderName: hidden, nome: hidden },
    ],
    [{ customer: { name: 'x' } }, { customer: { name: hidden } }],
    [
      { customer: { document: { number: '1', type: 'cpf' } } },
      { customer: { document: { number: hidden, type: 'cpf' } } },
    ],
    [
      { document: '1', documentType: 'cpf' },
      { document: hidden, documentType: 'cpf' },
    ],
    [
      { address: { city: 'x', lines: ['x', { y: 1 }] } },
      { address: { city: hidden, lines: [hidden, { y: hidden }] } },
    ],
    [{ billing_address: { city: 'x' } }, { billing_address: { city: hidden } }],
    [
      { addressZipCode: 'x', street: 'x', cep: 1 },
      { addressZipCode: hidden, street: hidden, cep: hidden },
    ],
    [
      { bankAccount: { bankAccountType: 'conta_corrente', bankCode: '999', ispb: 1 } },
      { bankAccount: { bankAccountType: 'conta_corrente', bankCode: hidden, ispb: hidden } },
    ],
    [{ bankAccount: '{"bankCode":"999"}' }, { bankAccount: hidden }],
    [{ phones: ['x'] }, { phones: [hidden] }],
    [{ phone: ['x', null, true, ''] }, { phone: [hidden, null, true, ''] }],
    [{ clientIp: '10.0.0.5' }, { clientIp: hidden }],
  ])('%j', (body, shown) => expect(scrubberFor().value(body)).toEqual(shown));

  test('what is nobody’s stays', () => {
    const body = {
      name: 'ValidationError',
      items: [{ name: 'Café', title: 'Café 500 g', quantity: 1 }],
      status: 'refused',
      id: '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b',
      amount: 11_222_333_000_182,
      createdAt: '2026-01-01T00:00:00Z',
      emailVerified: 'yes',
      organization: 'x',
      customer: { kindness: 'x', document: { issuer: 'x' } },
      message: 'The amount must be at most 15000000 cents: 12345678900 is more.',
    };
    expect(scrubberFor().value(body)).toEqual(body);
  });

  test('messages about fields stay, without what is personal in them', () => {
    const body = {
      errors: {
        email: 'is required',
        cpf: ['has no 11 digits'],
        address: { city: 'ana@example.com is none' },
      },
      issues: [{ path: 'customer.name', message: 'is too short', email: 'is taken' }],
    };
    expect(scrubberFor().value(body)).toEqual({
      ...body,
      errors: { ...body.errors, address: { city: `${hidden} is none` } },
    });
  });

  test.each([
    ...['titular', 'portador', 'nomeTitular', 'nome_mae', 'nomeDaMae', 'legalName', 'beneficiaryName'],
    ...['phones', 'telefones', 'emails', 'tel', 'fone', 'msisdn', 'dob', 'dataDeNascimento', 'cnh'],
    ...['conta', 'numeroConta', 'contaCorrente', 'rua', 'endereco', 'remoteIp', 'accountHolder'],
  ])('what stands in %s is hidden', (name) => {
    expect(scrubberFor().value({ [name]: 'x y', list: { [name]: ['x y'] } })).toEqual({
      [name]: hidden,
      list: { [name]: [hidden] },
    });
  });

  test.each(['errors', 'issues', 'violations', 'validationErrors', 'messages'])(
    'data of a person among %s is hidden: only messages stay',
    (list) => {
      const customer = {
        name: 'Maria Aparecida',
        phone: '21 98765 1234',
        birthDate: '1990-01-31',
        address: { street: 'Rua das Flores', streetNumber: '12', city: 'São Paulo' },
        bankAccount: { bankAgency: '0001', account: '12345-6' },
      };
      const body = { [list]: [{ code: 'DUPLICATE', message: 'exists', customer }] };
      const [entry] = (scrubberFor().value(body) as typeof body)[list] ?? [];
      expect(entry).toMatchObject({ code: 'DUPLICATE', message: 'exists' });
      expect(JSON.stringify(entry?.customer)).not.toMatch(/Maria|98765|1990|Flores|12|Paulo|0001/);
    },
  );

  test.each(['is required', 'deve ter 11 dígitos', 'CPF inválido', 'é obrigatório', 'has 3 digits'])(
    'the message %j about a personal field stays',
    (text) => {
      const errors = { cpf: [text], address: { city: text } };
      expect(scrubberFor().value({ errors })).toEqual({ errors });
    },
  );

  test('names beyond 64 characters are not looked at, shapes that are none are left', () => {
    for (const [length, shown] of [
      [64, hidden],
      [65, 'x'],
    ] as const) {
      const name = 'email'.padStart(length, 'x');
      expect(scrubberFor().value({ [name]: 'x' })).toEqual({ [name]: shown });
      const object = 'address'.padEnd(length, '_');
      expect(scrubberFor().value({ [object]: { x: 'x' } })).toEqual({ [object]: { x: shown } });
    }
    const inside = { address: { ['x'.repeat(65)]: { y: 'x' } } };
    expect(scrubberFor().value(inside)).toEqual({ address: { ['x'.repeat(65)]: { y: hidden } } });
    const odd = JSON.parse('{"__proto__":{"email":"x"},"address":null,"bankAccount":[],"customer":7}');
    expect(scrubberFor().value(odd)).toEqual({ address: null, bankAccount: [], customer: 7 });
  });
});

test.each([
  ['José da Silva Conceição', 'JOSE DA SILVA CONCEICAO'],
  ['JOSE DA SILVA', 'José da Silva'],
])('the name %j is found as %j', (sent, repeated) => {
  const scrubber = scrubberFor({ customer: { name: sent } });
  expect(scrubber.text(`${repeated} não foi aceito`)).toBe(`${hidden} não foi aceito`);
});

test.each([
  '11912345678',
  '11 91234 5678',
  '11-91234-5678',
  '(11) 91234-5678',
  '+55 11 91234-5678',
  '5511912345678',
])('a telephone number that was sent is found as %j', (repeated) => {
  const scrubber = scrubberFor({ customer: { phone: '+5511912345678' } });
  expect(scrubber.text(`o telefone ${repeated} existe`)).not.toMatch(/\d{4}/);
});

describe('texts', () => {
  test.each([
    'ana@example.com',
    'ana.souza+shop@mail.example.com.br',
    'josé@exemplo.com.br',
    '12345678909',
    '123.456.789-09',
    '123.456.789-00',
    '123456789-09',
    '123 456 789 09',
    '11222333000181',
    '11.222.333/0001-81',
    '11222333/0001-81',
    '12ABC34501DE35',
    '12.ABC.345/01DE-35',
    '+5511912345678',
    '+55 11 91234-5678',
    '+55 (11) 91234-5678',
    '(11) 91234-5678',
    '(11) 3123-4567',
    '11 91234-5678',
  ])('%s', (personal) => {
    const scrubber = scrubberFor();
    expect(scrubber.text(`of ${personal}, and so on`)).toBe(`of ${hidden}, and so on`);
    expect(scrubber.text(`"${personal}".`)).toBe(`"${hidden}".`);
    expect(scrubber.text(JSON.stringify({ note: JSON.stringify([personal]) }))).not.toContain(personal);
  });

  test('escaped and encoded', () => {
    const scrubber = scrubberFor();
    expect(scrubber.text('ana\\u0040example.com')).toBe(hidden);
    expect(scrubber.text('mail=ana%40example.com')).toBe(`mail=${hidden}`);
    expect(scrubber.text('11.222.333\\/0001-81')).toBe(hidden);
  });

  test('at the end of a sentence', () => {
    expect(scrubberFor().text('Write to ana@example.com.')).toBe(`Write to ${hidden}.`);
  });

  test.each([
    'order-1042 of 1990 cents',
    '12345678900', // no CPF by its check digits
    '0b7e2b0a-6f0c-4a8e-9f0e-112345678909',
    'id 1234567890912',
    'x12345678909',
    '2026-01-01T00:00:00+03:00',
    'a @ b, @home, ana@',
    'rate of 10 a minute',
  ])('not %s', (text) => expect(scrubberFor().text(text)).toBe(text));
});

describe('what the call or its answer holds', () => {
  const body = {
    customer: { name: 'Ana Souza', email: 'x', document: { number: '99988877766' } },
    address: { street: 'Rua Augusta', town: 'Campinas', number: '10', state: 'SP' },
    bankAccount: { bankAccount: '123456', bankAgency: '0001', bankAccountType: 'conta_corrente' },
  };
  test.each([
    ['Ana Souza is unknown', `${hidden} is unknown`],
    ['ANA SOUZA is unknown', `${hidden} is unknown`],
    ['document 999.888.777-66', `document ${hidden}`],
    ['document 999 888 77766', `document ${hidden}`],
    ['document 99988877766.', `document ${hidden}.`],
    ['nobody lives in rua augusta', `nobody lives in ${hidden}`],
    ['CAMPINAS is far', `${hidden} is far`],
    ['account 123456', `account ${hidden}`],
    ['Ana\\u0020Souza', hidden],
  ])('%s', (text, shown) => {
    expect(scrubberFor(body).text(text)).toBe(shown);
    expect(scrubberFor([[body]]).text(text)).toBe(shown);
  });

  test.each([
    'Anastasia Souza',
    'at most 10 of 0001 in SP',
    'must be conta_corrente',
    'Mariana Souza',
    'Ana Souzas',
    'cents, or nothing',
  ])('not %s', (text) => expect(scrubberFor({ ...body, unit: 'cents' }).text(text)).toBe(text));

  test('numbers, and texts with spaces around them', () => {
    const scrubber = scrubberFor({ phone: 5_511_900_000_000, fullName: ' Ana ', cpf: 12_345 });
    expect(scrubber.text('5511 9000 00000, Ana, 12345')).toBe(`${hidden}, ${hidden}, 12345`);
  });

  test('from three letters or six digits on, and from eight digits on with separators', () => {
    const scrubber = scrubberFor({
      customers: [{ name: 'Al' }, { name: 'Ana' }],
      phone: ['12345', '123456', '7654321', '87654321'],
    });
    expect(scrubber.text('Al, Ana; 12345, 123456')).toBe(`Al, ${hidden}; 12345, ${hidden}`);
    expect(scrubber.text('765 4321 or 8765 4321')).toBe(`765 4321 or ${hidden}`);
  });

  test('of a text beyond 200 characters the beginning', () => {
    const scrubber = scrubberFor({ fullName: 'n'.repeat(250) });
    expect(scrubber.text('n'.repeat(250))).toBe(`${hidden}${'n'.repeat(50)}`);
    expect(scrubber.text('n'.repeat(199))).toBe('n'.repeat(199));
  });

  test('of an endless mailbox or domain as much as an address can have', () => {
    const long = `${'a'.repeat(70)}@${'b'.repeat(300)}`;
    expect(scrubberFor().text(long)).toBe(`${'a'.repeat(6)}${hidden}${'b'.repeat(46)}`);
  });

  test('characters whose lower case is longer keep their places', () => {
    expect(scrubberFor({ fullName: 'Ana' }).text('İİ ANA İ')).toBe(`İİ ${hidden} İ`);
  });

  test('too much of it: no text is shown', () => {
    const many = Array.from({ length: 2_001 }, (_, index) => ({ email: `somebody${index}` }));
    expect(scrubberFor(many).value({ a: ['b'] })).toBe(hidden);
    const scrubber = scrubberFor(many.slice(1));
    expect(scrubber.text('somebody7 is unknown')).toBe(`${hidden} is unknown`);
    // Searching costs time: a text for which there is none left is hidden as a whole.
    expect(scrubber.text('x'.repeat(64_000))).toBe(hidden);
    expect(scrubber.text('x')).toBe(hidden);
  });
});
