import { z } from 'zod';
import { filled, type Open, object, uuid } from './common.js';
import { operation } from './operation.js';

/** A wallet certificate (API document, Certificate). */
export interface Certificate {
  /** UUID. */
  id: string;
  type: Open<'apple_pay_payment_processing'>;
  status: Open<'issued' | 'active' | 'revoked'>;
  /** The CSR in PEM, to be sent to the authority. Present when the type goes through one (Apple Pay). */
  signingRequestPem?: string | null;
  /** SHA-256 of the public key, in base64. */
  publicKeyFingerprint?: string | null;
  /** ISO 8601, UTC. */
  notBefore?: string | null;
  /** ISO 8601, UTC. */
  notAfter?: string | null;
  /** ISO 8601, UTC. */
  activatedAt?: string | null;
  /** ISO 8601, UTC. */
  revokedAt?: string | null;
  /** Data of the type; for Apple Pay `merchantIdHash`. */
  metadata?: { merchantIdHash?: string; [name: string]: unknown } | null;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/** The body of POST /v1/certificates/{id}/activate, as the platform takes it. */
const ActivateSchema = z.looseObject({ certificate: filled });

const CertificateSchema = z.strictObject({
  id: uuid,
  type: z.literal('apple_pay_payment_processing'),
  status: z.enum(['issued', 'active', 'revoked']),
  signingRequestPem: z.string().nullish(),
  publicKeyFingerprint: z.string().nullish(),
  notBefore: z.string().nullish(),
  notAfter: z.string().nullish(),
  activatedAt: z.string().nullish(),
  revokedAt: z.string().nullish(),
  metadata: object.nullish(),
  createdAt: z.string(),
});

export const listCertificates = operation({
  id: 'certificates.list',
  method: 'GET',
  path: '/v1/certificates',
  section: 'Certificates',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  names: 'certificates',
  query: z.looseObject({ type: z.enum(['apple_pay_payment_processing']).optional() }),
  response: z.strictObject({ data: z.array(CertificateSchema) }),
});

export const activateCertificate = operation({
  id: 'certificates.activate',
  method: 'POST',
  path: '/v1/certificates/{id}/activate',
  section: 'Certificates',
  encoding: 'json',
  idempotencyKey: 'none',
  // Whether a second activation with the same certificate succeeds is not shown.
  replay: 'never',
  conflict: 'unspecified',
  params: { id: uuid },
  request: ActivateSchema,
  response: CertificateSchema,
});

export const revokeCertificate = operation({
  id: 'certificates.revoke',
  method: 'POST',
  path: '/v1/certificates/{id}/revoke',
  section: 'Certificates',
  encoding: 'none',
  idempotencyKey: 'none',
  // Revoking a revoked certificate succeeds and returns the record.
  replay: 'natural',
  conflict: 'unspecified',
  params: { id: uuid },
  response: CertificateSchema,
});
