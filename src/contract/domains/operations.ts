import { operation } from '../operation.js';
import type { Domain, RegisterDomain } from './types.js';

export const registerDomain = operation<{ body: RegisterDomain; result: Domain }>()({
  id: 'domains.register',
  method: 'POST',
  path: '/v1/payment-method-domains',
  summary: 'Register a domain on which wallets are shown',
  section: 'POST /v1/payment-method-domains',
  encoding: 'json',
  idempotencyKey: 'none',
  // Registering an existing domain returns the current record.
  replay: 'natural',
  result: 'object',
});

export const listDomains = operation<{ result: { data: Domain[] } }>()({
  id: 'domains.list',
  method: 'GET',
  path: '/v1/payment-method-domains',
  summary: 'List domains and their verification status',
  section: 'GET /v1/payment-method-domains',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  result: 'object',
});
