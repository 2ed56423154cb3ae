import { describe, expect, test } from 'vitest';
import { isSecretName, isSecretObject, isTaxNumberName } from '../../../src/transport/redact/secret-names.js';

describe('isSecretName', () => {
  test.each([
    'pin',
    'client_secret',
    'clientSecret',
    'client-secret',
    'CLIENT SECRET',
    'x_api_key',
    'cardTokenId',
    'passwords',
    'cvv2',
    'authorization',
    'Proxy-Authorization',
  ])('%s', (name) => expect(isSecretName(name)).toBe(true));

  test.each(['name', 'pinned', 'tokens_used', 'secretary', 'amount', 'id', 'event', ''])('not %j', (name) =>
    expect(isSecretName(name)).toBe(false),
  );

  test('a number, but for that of a document', () => {
    expect(isSecretName('number')).toBe(true);
    expect(isSecretName('number', 'card')).toBe(true);
    expect(isSecretName('Number', 'items')).toBe(true);
    for (const parent of ['document', 'customer_document', 'taxDocument'])
      expect(isSecretName('number', parent)).toBe(false);
    expect(isSecretName('token', 'document')).toBe(true);
    expect(isSecretName('name', 'card')).toBe(false);
  });

  test('of 64 characters, not of more', () => {
    expect(isSecretName('token'.padStart(64, 'x'))).toBe(true);
    expect(isSecretName('token'.padStart(65, 'x'))).toBe(false);
  });
});

describe('isSecretObject', () => {
  test.each(['wallet', 'threeDSData', 'payment_data', 'applePay', 'googlePay'])('%s', (name) =>
    expect(isSecretObject(name)).toBe(true),
  );
  test.each(['wallets', 'card', 'customer', ''])('not %j', (name) =>
    expect(isSecretObject(name)).toBe(false),
  );
  test('no name of more than 64 characters', () => {
    expect(isSecretObject('wallet'.padEnd(64, '_'))).toBe(true);
    expect(isSecretObject('wallet'.padEnd(65, '_'))).toBe(false);
  });
});

describe('isTaxNumberName', () => {
  test.each(['document', 'document_number', 'taxId', 'cpf', 'CNPJ', 'representative_cpf'])('%s', (name) =>
    expect(isTaxNumberName(name, '')).toBe(true),
  );
  test('the number of a document, and of nothing else', () => {
    expect(isTaxNumberName('number', 'document')).toBe(true);
    expect(isTaxNumberName('number', 'customerDocument')).toBe(true);
    expect(isTaxNumberName('number', 'card')).toBe(false);
    expect(isTaxNumberName('note', 'document')).toBe(false);
    expect(isTaxNumberName('note', '')).toBe(false);
  });
  test('no name of more than 64 characters', () => {
    expect(isTaxNumberName('cpf'.padEnd(64, '_'), '')).toBe(true);
    expect(isTaxNumberName('cpf'.padEnd(65, '_'), '')).toBe(false);
  });
});
