import type { Open } from '../types.js';

/** The body of POST /v1/payment-method-domains. */
export interface RegisterDomain {
  /**
   * The hostname that the user visits, at most 255 characters, without scheme, port or path. A subdomain is a
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
  /** When the domain was verified, in ISO 8601, UTC. */
  verifiedAt?: string | null;
  /** The wallet's error message if it could not verify the domain. */
  lastVerificationError?: string | null;
  /** When the domain was registered, in ISO 8601, UTC. */
  createdAt: string;
  /**
   * The file to host on the domain before the domain is validated. Present in the response to the
   * registration.
   */
  verificationFile?: {
    /** The path below the domain, such as `/.well-known/…`. */
    path: string;
    /** The file's content, to be served unchanged. */
    content: string;
  };
}
