import { z } from 'zod';
import { filledText, type Open, uuid } from './common.js';
import { limits } from './limits.js';
import { operation } from './operation.js';

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

const label = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;

/** A hostname and nothing else: no scheme, no port, no path. Labels of letters, digits and dashes. */
const isHostname = (name: string) => name.split('.').every((part) => label.test(part));

const DomainSchema = z.strictObject({
  id: uuid,
  domainName: z.string(),
  status: z.enum(['pending', 'verified', 'failed']),
  verifiedAt: z.string().nullish(),
  lastVerificationError: z.string().nullish(),
  createdAt: z.string(),
  verificationFile: z.strictObject({ path: z.string(), content: z.string() }).optional(),
});

export const registerDomain = operation({
  id: 'domains.register',
  method: 'POST',
  path: '/v1/payment-method-domains',
  section: 'POST /v1/payment-method-domains',
  encoding: 'json',
  idempotencyKey: 'none',
  // Registering an existing domain returns the current record.
  replay: 'natural',
  conflict: 'unspecified',
  request: z.looseObject({
    domainName: filledText(limits.domainNameLength).refine(
      isHostname,
      'must be a hostname only, without scheme, port or path (an international name in its xn-- form)',
    ),
  }),
  response: DomainSchema,
});

export const listDomains = operation({
  id: 'domains.list',
  method: 'GET',
  path: '/v1/payment-method-domains',
  section: 'GET /v1/payment-method-domains',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  response: z.strictObject({ data: z.array(DomainSchema) }),
});
