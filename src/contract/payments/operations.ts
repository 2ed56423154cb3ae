import { operation } from '../operation.js';
import { createPaymentRules } from './rules.js';
import type { BoletoFile, CreatePayment, Payment } from './types.js';

export const createPaymentOperation = operation<{ body: CreatePayment; result: Payment }>()({
  id: 'payments.create',
  method: 'POST',
  path: '/v1/payments',
  encoding: 'json',
  rules: createPaymentRules,
  idempotencyKey: 'optional',
  repeatedKeyGets: 'current-state',
  echoes: { externalReference: 'externalId' },
  adviceIfUnknown:
    'The payment may exist. Call payments.reconcile with the same key ({key}), not with a new one.',
});

const paymentBoletoOperation = operation<{ result: BoletoFile }>()({
  id: 'payments.boleto',
  method: 'GET',
  path: '/v1/payments/{id}/boleto',
  // The API docs require a UUID for the payment's id, but not for this path.
  params: { id: 'text' },
  hintIfNotFound: 'Pass the payment id (payment.id), not your externalId',
  encoding: 'none',
  idempotencyKey: 'none',
  result: 'file',
});

export const paymentOperations = [createPaymentOperation, paymentBoletoOperation] as const;
