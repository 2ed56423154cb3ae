import type { Open } from '../types.js';

/** The body of POST /v1/payment-method-domains. */
export interface RegisterDomain {
  /**
   * The hostname that users visit: at most 255 characters, without a scheme, port or path. A subdomain is a
   * separate domain.
   */
  domainName: string;
}

/** A web domain that offers digital wallets (API docs, Payment-method domain). */
export interface Domain {
  /** The domain's UUID. */
  id: string;
  /** The registered hostname, without scheme, port or path. */
  domainName: string;
  /** `pending` (not verified yet), `verified` or `failed`. */
  status: Open<'pending' | 'verified' | 'failed'>;
  /** When the domain was verified (ISO 8601, UTC). */
  verifiedAt?: string | null;
  /** The error message from a wallet that could not verify the domain. */
  lastVerificationError?: string | null;
  /** When the domain was registered, in ISO 8601, UTC. */
  createdAt: string;
  /** The file to host on the domain before validation. Present in the response to the registration. */
  verificationFile?: {
    /** The path below the domain, such as `/.well-known/…`. */
    path: string;
    /** The file's content, to be served unchanged. */
    content: string;
  };
}
