import type { Issue } from '../../validation/issue.js';
import { shapes } from '../generated/shapes.js';
import { documentIssues } from '../impossible-values.js';
import { type Fields, has, operation } from '../operation.js';
import { undefinedIssues } from '../undefined-fields.js';
import type { CreatedWithdrawal, CreateSubmerchant, UpdateSubmerchant, Withdrawal } from './types.js';

const isBankData =
  "is bank data, which this operation cannot change. Use the platform's operation for bank accounts";

export const listBankFields = (): readonly string[] =>
  Object.keys(shapes['onboarding.submitPf'].request?.fields.bankAccount?.fields ?? {});

function updateRules(changes: Fields): Issue[] {
  return [
    ...(has(changes, 'status') ? [{ path: 'status', message: 'cannot be changed by this operation' }] : []),
    ...listBankFields()
      .filter((path) => has(changes, path))
      .map((path) => ({ path, message: isBankData })),
  ];
}

export const createSubmerchantOperation = operation<{
  body: CreateSubmerchant;
  result: Record<string, unknown>;
}>()({
  id: 'submerchants.create',
  method: 'POST',
  path: '/v1/submerchants',
  encoding: 'multipart',
  rules: ({ documentNumber, documentType }) =>
    documentIssues(documentNumber, documentType, 'documentNumber', true),
  idempotencyKey: 'required',
  repeatedKeyGets: 'first-response',
  rateLimit: 'submerchants',
  result: 'unspecified',
});

export const updateSubmerchantOperation = operation<{
  body: UpdateSubmerchant;
  result: Record<string, unknown>;
}>()({
  id: 'submerchants.update',
  method: 'PATCH',
  path: '/v1/submerchants/{internalId}',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  rateLimit: 'submerchants',
  params: { internalId: 'uuid' },
  rules: updateRules,
  result: 'unspecified',
});

export const createWithdrawalOperation = operation<{ body: object; result: CreatedWithdrawal }>()({
  id: 'submerchants.withdrawals.create',
  rules: (_, given) => undefinedIssues(given),
  method: 'POST',
  path: '/v1/submerchants/withdrawals',
  encoding: 'json',
  result: 'unspecified',
  idempotencyKey: 'none',
  // No idempotency key is documented for withdrawals, and sending one twice could pay out twice.
  replay: 'never',
  adviceIfUnknown:
    'The withdrawal may exist. The API docs describe no operation that lists withdrawals: ask the platform before you retry.',
});

export const retrieveWithdrawalOperation = operation<{ result: Withdrawal }>()({
  id: 'submerchants.withdrawals.retrieve',
  errors: { 404: true },
  method: 'GET',
  path: '/v1/submerchants/withdrawals/{withdrawId}',
  encoding: 'none',
  idempotencyKey: 'none',
  params: { withdrawId: 'integer' },
});

export const submerchantOperations = [
  createSubmerchantOperation,
  updateSubmerchantOperation,
  createWithdrawalOperation,
  retrieveWithdrawalOperation,
] as const;
