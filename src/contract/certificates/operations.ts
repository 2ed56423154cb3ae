import { operation } from '../operation.js';
import type { Certificate, CertificateFilter } from './types.js';

export interface ActivateBody {
  /** PEM, or DER in base64. */
  certificate: string;
}

export const listCertificatesOperation = operation<{
  query: CertificateFilter;
  result: { data: Certificate[] };
}>()({
  id: 'certificates.list',
  method: 'GET',
  path: '/v1/certificates',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const activateCertificateOperation = operation<{ body: ActivateBody; result: Certificate }>()({
  id: 'certificates.activate',
  method: 'POST',
  path: '/v1/certificates/{id}/activate',
  encoding: 'json',
  idempotencyKey: 'none',
  // Whether a second activation with the same certificate succeeds is undocumented.
  replay: 'never',
  adviceIfUnknown: 'The certificate may be active. certificates.list shows its status.',
  params: { id: 'uuid' },
});

export const revokeCertificateOperation = operation<{ result: Certificate }>()({
  id: 'certificates.revoke',
  method: 'POST',
  path: '/v1/certificates/{id}/revoke',
  encoding: 'none',
  idempotencyKey: 'none',
  // Revoking a revoked certificate succeeds and returns the record.
  replay: 'natural',
  params: { id: 'uuid' },
});

export const certificateOperations = [
  listCertificatesOperation,
  activateCertificateOperation,
  revokeCertificateOperation,
] as const;
