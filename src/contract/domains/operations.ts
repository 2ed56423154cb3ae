import { operation } from '../operation.js';
import type { Domain, RegisterDomain } from './types.js';

export const registerDomain = operation<{ body: RegisterDomain; result: Domain }>()({
  id: 'domains.register',
  method: 'POST',
  path: '/v1/payment-method-domains',
  summary: 'Register a domain on which wallets are shown',
  encoding: 'json',
  idempotencyKey: 'none',
  // Registering an existing domain returns the current record.
  replay: 'natural',
});

export const listDomains = operation<{ result: { data: Domain[] } }>()({
  id: 'domains.list',
  method: 'GET',
  path: '/v1/payment-method-domains',
  summary: 'List domains and their verification status',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const domainOperations = [registerDomain, listDomains] as const;
