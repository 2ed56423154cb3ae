import { domainOutcomeAfter } from '../scenarios/test-domains.js';
import type { DefaultEntry } from './default-entry.js';
import { responseStatus } from './statuses.js';

/** About 25 months, as with Apple's certificates. */
export const certificateDays = 760;

/** API docs, Payment-method domain. */
export const verificationPath = '/.well-known/apple-developer-merchantid-domain-association';

/** Real milliseconds within which the whole file must arrive. */
export const verificationTimeout = 10_000;

/** In bytes. The rest of a longer file is not read. */
export const longestVerificationFile = 65_536;

export const walletDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Domain registration statuses',
    default: `The sandbox returns ${responseStatus.domainRegistered} for a new domain and ${responseStatus.domainKnown} for one that is already registered.`,
    why: 'The statuses are undocumented. The second request creates nothing.',
    option: 'statuses.domainRegistered',
  },
  {
    topic: 'Domain names',
    default:
      'The sandbox ignores case when it compares domain names. The record keeps the name as it was in the first request.',
    why: 'Hostnames are case-insensitive. The API docs say only that an existing domain is returned.',
    fixed: 'Hostnames are case-insensitive.',
  },
  {
    topic: 'Verification file',
    default:
      "The file's content is hexadecimal and derived from the seed. Every response to a registration contains the file, even if the registration is repeated. The list of domains does not include the file.",
    why: "The API docs show the file in the registration response. The wallet defines the file's content.",
    fixed: 'The wallet defines the content. The sandbox only compares the served file with this content.',
  },
  {
    topic: 'Verification of a domain',
    default: `\`control.domains.verify\` fetches \`${verificationPath}\` from the domain over HTTPS, or from the origin that you pass. The control method requires the status 200 and the exact content, except for an optional line break at the end. The control method does not follow redirects, and reads at most ${longestVerificationFile} bytes in at most ${verificationTimeout / 1_000} seconds of real time. A domain in \`testDomains\` is verified or fails automatically, ${domainOutcomeAfter / 1_000} seconds after its registration.`,
    why: 'The API docs mention the validate operation without describing it, and do not say how a wallet fetches the file.',
    fixed: 'The control method and `testDomains` select the outcome.',
  },
  {
    topic: 'Domain transitions',
    default:
      'If a domain fails verification, you can verify it again. A success removes `lastVerificationError`. If you verify a domain that is already verified, it stays verified, and the sandbox does not fetch the file.',
    why: 'The transitions from `failed` and `verified` are undocumented.',
    fixed: 'A control method or a test domain determines when a domain is verified.',
  },
  {
    topic: 'Fields without a value in domains and certificates',
    default:
      'The fields `verifiedAt`, `lastVerificationError`, `notBefore`, `notAfter`, `activatedAt` and `revokedAt` are absent until they are set.',
    why: 'The API docs do not say whether fields without a value are absent or null.',
    fixed: 'A client accepts a null field and an absent field.',
  },
  {
    topic: 'Creating a certificate',
    default:
      '`control.certificates.create` creates a record with a new P-256 key. Keys and signatures differ in every run, even with a seed.',
    why: 'The operation that creates a record is undocumented, and a key must not be derived from a seed.',
    fixed: 'The control method exists only in the sandbox.',
  },
  {
    topic: 'Signing request and fingerprint',
    default:
      'The signing request is a PKCS#10 request, signed with ECDSA and SHA-256. Its common name is the merchant identifier. `publicKeyFingerprint` is the SHA-256 hash of the `SubjectPublicKeyInfo` in DER, encoded in base64.',
    why: 'The API docs describe a CSR in PEM and the SHA-256 hash of the public key. The subject and the encoding are undocumented.',
    fixed: 'Apple Pay defines the algorithms, and the certificate authority reads the rest of the request.',
  },
  {
    topic: 'merchantIdHash',
    default: 'The `merchantIdHash` is the SHA-256 hash of the merchant identifier, in hexadecimal.',
    why: 'Only the name is documented. Apple hashes the identifier this way.',
    fixed: 'Apple defines the hash.',
  },
  {
    topic: 'Test authority',
    default: `\`control.certificates.issue\` signs with the sandbox's own root certificate. Certificates are valid for ${certificateDays} days from the current time on the sandbox's clock.`,
    why: "The authority is not part of the platform. Apple's certificates are valid for 25 months.",
    fixed: 'The authority exists only in the sandbox.',
  },
  {
    topic: 'Certificates that cannot be activated',
    default:
      "The sandbox returns 400 if the value is not a certificate, if it does not match the record's public key, or if the sandbox's authority did not issue it. The sandbox also returns 400 for a certificate that has expired or is not valid yet. The error lists every reason.",
    why: 'The condition is documented, but the response is not. The API docs mention the validity period, but define no rule for it.',
    fixed: 'The API docs list 400 for invalid data.',
  },
  {
    topic: 'Activating an active certificate',
    default:
      'If the same valid certificate is sent again, the sandbox returns the record unchanged. For a different certificate, it returns 400.',
    why: 'Only the transition from `issued` to `active` is documented.',
    fixed:
      'The sandbox already returns both responses: 200 for the same certificate and 400 for a different one.',
  },
  {
    topic: 'Activating a revoked certificate',
    default: 'The sandbox returns 400, and the certificate stays revoked.',
    why: 'Only the transition from `issued` to `active` is documented.',
    fixed: 'Revocation is final, so a revoked certificate cannot become active again.',
  },
  {
    topic: 'Unknown certificates',
    default:
      'The sandbox returns 404, even if another merchant owns the certificate. If `certificate` is missing, empty or not a string, the sandbox returns 400 instead.',
    why: 'Only the 404 for withdrawals is documented.',
    fixed: 'The sandbox also returns 404 if any other id in a path belongs to a different merchant.',
  },
  {
    topic: 'Filter of the certificate list',
    default:
      'The list accepts the `type` query parameter. For any value except `apple_pay_payment_processing`, the sandbox returns 400.',
    why: "The allowed value is documented, but the parameter's name and the response to other values are not.",
    option: 'fieldNames',
  },
  {
    topic: 'Wallet charges without a domain or a certificate',
    default:
      'The sandbox accepts these charges, because a wallet payment needs neither a verified domain nor an active certificate.',
    why: 'The API docs describe how a certificate is used, but not the response to a payment without one.',
    fixed: 'Tests can charge a wallet without a certificate. `testWalletTokens.refused` declines the charge.',
  },
];
