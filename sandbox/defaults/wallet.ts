import { domainOutcomeAfter } from '../scenarios/test-domains.js';
import type { DefaultEntry } from './default-entry.js';
import { answerStatus } from './statuses.js';

/** Days that a certificate is valid: about the 25 months of Apple's. */
export const certificateDays = 760;

/** The path of Apple Pay's verification file on a domain (API docs, Payment-method domain). */
export const verificationPath = '/.well-known/apple-developer-merchantid-domain-association';

/** The time in which the whole file must arrive, in real milliseconds. */
export const verificationTimeout = 10_000;

/** Bytes. A longer file is not read to its end. */
export const longestVerificationFile = 65_536;

/** The sandbox's defaults for wallet domains and certificates. */
export const walletDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Domain registration statuses',
    default: `${answerStatus.domainRegistered} for a new domain, ${answerStatus.domainKnown} for a registered one.`,
    why: 'Undocumented; the second call creates nothing.',
    option: 'statuses.domainRegistered',
  },
  {
    topic: 'Domain names',
    default: 'Compared without regard to case; the record keeps the name as it was first sent.',
    why: 'Hostnames are case-insensitive. The API docs say only that an existing domain is returned.',
    fixed: 'Hostnames are case-insensitive.',
  },
  {
    topic: 'Verification file',
    default:
      'Hexadecimal content derived from the seed. Every response to a registration contains it, a repeated one also; the list does not.',
    why: 'The API docs show it in the registration response. The wallet defines its content.',
    fixed: 'The wallet defines its content, which is only compared.',
  },
  {
    topic: 'Verification of a domain',
    default: `control.domains.verify fetches ${verificationPath} from https://, or from the origin that you pass: status 200 and the exact content, a line break at the end allowed; no redirects, at most ${verificationTimeout / 1_000} seconds of real time and ${longestVerificationFile} bytes. A domain of testDomains is verified, or fails, on its own ${domainOutcomeAfter / 1_000} seconds after its registration.`,
    why: 'The API docs mention the validate operation without describing it, and do not say how a wallet fetches the file.',
    fixed: 'The control and testDomains select the outcome.',
  },
  {
    topic: 'Domain transitions',
    default:
      'A failed domain may be verified again, and a success removes lastVerificationError. A verified domain stays verified, and nothing is fetched.',
    why: 'Transitions out of failed and verified are undocumented.',
    fixed: 'The control selects when a domain is verified.',
  },
  {
    topic: 'Fields without a value in domains and certificates',
    default:
      'verifiedAt, lastVerificationError, notBefore, notAfter, activatedAt and revokedAt are absent until they are set.',
    why: 'Whether they are absent or null before that is undocumented.',
    fixed: 'A client treats null and an absent field alike.',
  },
  {
    topic: 'Creating a certificate',
    default:
      'control.certificates.create, with a new P-256 key. Keys and signatures differ in every run, even with a seed.',
    why: 'The operation that creates a record is undocumented, and keys must not come from a seed.',
    fixed: 'It exists only in the sandbox.',
  },
  {
    topic: 'Signing request and fingerprint',
    default:
      'PKCS#10 with the merchant identifier as common name, signed by ECDSA with SHA-256; publicKeyFingerprint is the base64 of the SHA-256 of the SubjectPublicKeyInfo in DER.',
    why: 'The API docs describe a CSR in PEM and the SHA-256 of the public key. Subject and encoding are undocumented.',
    fixed: 'Apple Pay sets the algorithms, and the authority reads the rest.',
  },
  {
    topic: 'merchantIdHash',
    default: 'SHA-256 of the merchant identifier, in hexadecimal.',
    why: 'Only the name is documented; Apple hashes the identifier in this way.',
    fixed: 'Apple defines it.',
  },
  {
    topic: 'Test authority',
    default: `control.certificates.issue signs with a root certificate of this sandbox; certificates are valid for ${certificateDays} days from now on the sandbox's clock.`,
    why: 'The authority is not part of the platform. Apple issues certificates for 25 months.',
    fixed: 'It exists only in the sandbox.',
  },
  {
    topic: 'Certificates that cannot be activated',
    default:
      "400 for anything but a certificate, for another public key than the record's, for another authority than the sandbox's, and for a certificate that has expired or is not valid yet. The response lists every reason.",
    why: 'The condition is documented, the response is not. The validity window is documented without a rule.',
    fixed: 'The API docs list 400 for invalid data.',
  },
  {
    topic: 'Activating an active certificate',
    default: 'The same certificate returns the record unchanged while it is valid; another one gets a 400.',
    why: 'Only the step from issued to active is documented.',
    fixed: 'Both responses occur: 200 for the same certificate, 400 for another.',
  },
  {
    topic: 'Activating a revoked certificate',
    default: '400: a revoked certificate stays revoked.',
    why: 'Only the step from issued to active is documented.',
    fixed: 'A revoked certificate that becomes active again would not be revoked.',
  },
  {
    topic: 'Unknown certificates',
    default: "404, also for another merchant's; a body that breaks the documented rules gets a 400 first.",
    why: 'Only the 404 of withdrawals is documented.',
    fixed: 'As for every other resource of another merchant.',
  },
  {
    topic: 'Filter of the certificate list',
    default: 'The query parameter type; any value except apple_pay_payment_processing gets a 400.',
    why: 'The allowed value is documented; the name of the parameter and the response to other values are not.',
    option: 'fieldNames',
  },
  {
    topic: 'Wallet charges without a domain or a certificate',
    default: 'Accepted: a wallet payment needs neither a verified domain nor an active certificate.',
    why: 'The API docs describe the use of a certificate, but not the response to a payment without one.',
    fixed: 'Tests can charge a wallet without a certificate; testWalletTokens.refused declines it.',
  },
];
