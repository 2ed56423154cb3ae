import type { Open } from '../types.js';

/** The body of POST /v1/payment-method-domains. */
export interface RegisterDomain {
  /** The pure hostname as the user reaches it, at most 255 characters: no scheme, port or path. Subdomains count separately. */
  domainName: string;
}

/** A web domain on which wallets are shown (API document, Payment-method domain). */
export interface Domain {
  /** UUID. */
  id: string;
  domainName: string;
  status: Open<'pending' | 'verified' | 'failed'>;
  /** ISO 8601, UTC. */
  verifiedAt?: string | null;
  /** What the wallet said when it could not verify the domain. */
  lastVerificationError?: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The file to host on the domain before it is validated. Present in the answer to the registration. */
  verificationFile?: { path: string; content: string };
}
