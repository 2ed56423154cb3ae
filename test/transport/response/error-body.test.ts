import { describe, expect, test } from 'vitest';
import { MessageRedactor } from '../../../src/redact/message-redactor.js';
import { readErrorFields } from '../../../src/transport/response/error-body.js';

const redactor = new MessageRedactor({ secrets: ['topsecret'] });
const read = (body: unknown) =>
  readErrorFields(body, typeof body === 'string' && body.startsWith('<'), redactor);

describe('the fields that an error reads from a response', () => {
  test.each([
    [
      { error: { issues: [{ path: 'amount', message: 'x' }, { path: 'items.0.title' }] } },
      ['amount', 'items.0.title'],
    ],
    [
      { errors: [{ field: 'amount' }, { field: 'amount' }, { property: 'card.cvv' }] },
      ['amount', 'card.cvv'],
    ],
    [{ errors: { amount: 'is required', customer: ['is missing'] } }, ['amount', 'customer']],
    [{ errors: [{ pointer: '#/items/0' }, { loc: ['body', 'items', 0] }] }, ['#/items/0', 'body.items.0']],
    [{ 'invalid-params': [{ name: 'amount', reason: 'x' }] }, ['amount']],
    [{ error: [{ param: 'amount' }] }, ['amount']],
    [{ erros: [{ campo: 'items[0].unitPrice', mensagem: 'x' }] }, ['items[0].unitPrice']],
    [{ errors: ['amount is required'] }, undefined],
    [{ errors: [{ path: 'a sentence, not a path' }, { path: 7 }, { path: '' }, null, 7] }, undefined],
    [{ errors: { count: 7, nested: { a: 1 } } }, undefined],
    [{ errors: [{ path: 'a.topsecret' }] }, undefined],
    [[{ path: 'amount' }], undefined],
    [undefined, undefined],
  ])('are, for the body %j, the list %j', (body, fields) => expect(read(body).body?.fields).toEqual(fields));

  test('are limited to ten', () => {
    const errors = Array.from({ length: 100_000 }, (_, index) => ({ path: `items.${index}` }));
    expect(read({ errors }).body?.fields).toHaveLength(10);
  });
});

describe('an error’s code and message', () => {
  test.each([
    [
      { code: 'ZOOP-1042', message: 'Valor mínimo: R$ 5,00' },
      { code: 'ZOOP-1042', message: 'Valor mínimo: R$ 5,00' },
    ],
    [{ error: { code: 51, message: 'no' } }, { code: '51', message: 'no' }],
    [{ error: 'invalid_client', error_description: 'Unknown client' }, { message: 'Unknown client' }],
    [
      { error: 'Bad Request', message: ['a deve ser inteiro', 'b é obrigatório'], statusCode: 400 },
      { message: 'a deve ser inteiro; b é obrigatório' },
    ],
    [
      { mensagem: 'Saldo insuficiente', codigo: 'SALDO' },
      { code: 'SALDO', message: 'Saldo insuficiente' },
    ],
    [{ erro: { mensagem: 'Cartão vencido' } }, { message: 'Cartão vencido' }],
    [{ erros: ['CPF inválido'] }, { message: 'CPF inválido' }],
    [
      {
        type: 'https://errors.example/limits',
        title: 'Limit',
        detail: 'Above 1.000,00',
        'invalid-params': [{ name: 'amount', reason: 'too big' }],
      },
      { code: 'https://errors.example/limits', message: 'Above 1.000,00', fields: ['amount'] },
    ],
    [
      { errors: { amount: ['O valor mínimo é 100'] } },
      { message: 'O valor mínimo é 100', fields: ['amount'] },
    ],
    ['plain', { message: 'plain' }],
    [{ code: 'topsecret', message: 'a topsecret' }, { message: 'a [redacted]' }],
    [{ code: 'a b' }, undefined],
    [{ message: '  ' }, undefined],
    [7, { message: '7' }],
    [null, undefined],
  ])('are read from the body %j', (body, expected) => expect(read(body).body).toEqual(expected));
});

test.each([
  [{ code: '51' }, ''],
  [{ message: 'Cartão vencido' }, 'The platform says: "Cartão vencido".'],
  [{ message: 'Cartão vencido.' }, 'The platform says: "Cartão vencido."'],
  ['Forbidden by WAF', 'The response says: "Forbidden by WAF".'],
  [{ errors: [{ path: 'amount' }] }, 'Fields: amount.'],
  [
    {
      message: 'Invalid data',
      errors: [{ path: 'amount', message: 'is 0' }, { path: 'items' }, { path: 'items', message: 'x' }],
    },
    'The platform says: "Invalid data". Fields: amount ("is 0"), items.',
  ],
])('an error quotes the body %j as %j', (body, quoted) => expect(read(body).said).toBe(quoted));

test.each([
  [
    '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr></body></html>',
    '502 Bad Gateway',
  ],
  [
    '<!DOCTYPE html>\n<html lang="en"><head><title>\n shop.example | 524: A timeout occurred </title>',
    'shop.example | 524: A timeout occurred',
  ],
  [
    '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>',
    '503 Service Unavailable',
  ],
  [
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code> <Message>Denied</Message></Error>',
    'AccessDenied Denied',
  ],
])('an error quotes an HTML page once, on one line: $1', (page, message) => {
  expect(read(page)).toMatchObject({
    isPage: true,
    body: { message },
    said: `The page says: "${message}".`,
  });
});
