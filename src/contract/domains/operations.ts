import { operation } from '../operation.js';
import type { Domain, RegisterDomain } from './types.js';

export const registerDomainOperation = operation<{ body: RegisterDomain; result: Domain }>()({
  id: 'domains.register',
  method: 'POST',
  path: '/v1/payment-method-domains',
  encoding: 'json',
  idempotencyKey: 'none',
  // Registering an existing domain returns the current record.
  replay: 'natural',
});

export const listDomainsOperation = operation<{ result: { data: Domain[] } }>()({
  id: 'domains.list',
  method: 'GET',
  path: '/v1/payment-method-domains',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const domainOperations = [registerDomainOperation, listDomainsOperation] as const;
