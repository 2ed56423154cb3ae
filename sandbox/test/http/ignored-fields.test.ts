import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../index.js';
import { boleto, call, form, keyNo, naturalPerson, onboard, pay, pix, sandboxForTest } from '../support.js';

/** Returns the latest request's fields that the sandbox did not know. */
const ignored = (sandbox: Sandbox) => sandbox.journal.requests.at(-1)?.ignored;

describe('the journal’s list of ignored fields', () => {
  test('contains fields of objects and arrays by their paths', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, boleto({ boleto: { dueDate: '2026-02-01' }, installments: 2 }));
    expect(ignored(sandbox)).toEqual(expect.arrayContaining(['boleto.dueDate', 'installments']));
    await pay(sandbox, pix({ items: [{ title: 'Book', quantity: 1, unitPrice: 1990, sku: 'a' }] }));
    expect(ignored(sandbox)).toEqual(['items.0.sku']);
    await pay(sandbox, pix({ customer: { name: 'Ana', cpf: '52998224725', document: { country: 'BR' } } }));
    expect(ignored(sandbox)).toEqual(['customer.cpf', 'customer.document.country']);
  });

  test('omits fields inside objects whose content the API docs do not define, such as metadata', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix({ metadata: { anything: { at: 'all' } }, pix: { expiration: 60 } }));
    expect(ignored(sandbox)).toEqual([]);
  });

  test('contains the default name of a field that fieldNames renames', async () => {
    const sandbox = sandboxForTest({ fieldNames: { 'payment.metadata': 'extra' } });
    await pay(sandbox, pix({ extra: { a: 1 }, metadata: { a: 1 } }));
    expect(ignored(sandbox)).toEqual(['metadata']);
  });

  test('contains unknown fields of an onboarding form and of a vault request', async () => {
    const sandbox = sandboxForTest();
    await onboard(sandbox, { ...naturalPerson, selfieFront: naturalPerson.selfie });
    expect(ignored(sandbox)).toEqual(['selfieFront']);
    await call(sandbox, '/v1/vault/tokenize', { body: { number: '4111111111111111', cvc: '123' } });
    expect(ignored(sandbox)).toEqual(['cvc']);
    await call(sandbox, '/v1/submerchants', { body: form({ anything: 'kept' }), key: keyNo(1) });
    expect(ignored(sandbox)).toEqual([]);
  });

  test('contains query parameters, and headers that look like the idempotency key', async () => {
    const sandbox = sandboxForTest();
    await call(sandbox, '/v1/webhooks?page=2', { headers: { 'idempotency-key': 'order-1' } });
    expect(ignored(sandbox)).toEqual(['headers.idempotency-key', 'query.page']);
  });

  test('contains at most 100 fields', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field${n}`, 1]))));
    expect(ignored(sandbox)).toHaveLength(100);
  });
});
