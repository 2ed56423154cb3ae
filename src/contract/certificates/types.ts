import type { Open } from '../types.js';

/** A wallet certificate (API docs, Certificate). */
export interface Certificate {
  /** The record's UUID. */
  id: string;
  /** `apple_pay_payment_processing`, the only documented type. */
  type: Open<'apple_pay_payment_processing'>;
  /** `issued` (not activated yet), `active` (in use) or `revoked`. */
  status: Open<'issued' | 'active' | 'revoked'>;
  /**
   * The CSR to send to the certificate authority, in PEM. Present if the certificate's type needs a CSR
   * (Apple Pay).
   */
  signingRequestPem?: string | null;
  /** The SHA-256 hash of the public key, in base64. */
  publicKeyFingerprint?: string | null;
  /** When the certificate becomes valid, in ISO 8601, UTC. */
  notBefore?: string | null;
  /** When the certificate expires (ISO 8601, UTC). */
  notAfter?: string | null;
  /** When the certificate was activated, in ISO 8601, UTC. */
  activatedAt?: string | null;
  /** When the certificate was revoked (ISO 8601, UTC). */
  revokedAt?: string | null;
  /** Data specific to the certificate's type, such as `merchantIdHash` for Apple Pay. */
  metadata?: {
    /** The hash of the Apple Pay merchant identifier. */
    merchantIdHash?: string;
    [name: string]: unknown;
  } | null;
  /** When the record was created, in ISO 8601, UTC. */
  createdAt: string;
}

/** The filter of `certificates.list`. */
export interface CertificateFilter {
  /** Returns only certificates of this type. The name of the query parameter is assumed. */
  type?: 'apple_pay_payment_processing' | undefined;
}
