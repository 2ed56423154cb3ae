import { domainOutcomeAfter } from '../scenarios/test-domains.js';
import { certificateDays } from '../wallet/authority.js';
import { longestVerificationFile, verificationPath, verificationTimeout } from '../wallet/domains.js';
import type { Choice } from './choice.js';
import { domainStatus } from './values.js';

/** What the API document leaves open about wallet domains and certificates. */
export const walletChoices: readonly Choice[] = [
  {
    topic: 'Domain registration statuses',
    choice: `${domainStatus.registered} for a new domain, ${domainStatus.known} for one that is already registered.`,
    why: 'Undocumented; the second call creates nothing.',
  },
  {
    topic: 'Domain names',
    choice: 'Compared without regard to case; the record keeps the name as it was first sent.',
    why: 'Hostnames have no case; the document only returns an existing domain.',
  },
  {
    topic: 'Verification file',
    choice:
      'Seeded hexadecimal content; in every answer to a registration, the repeated one included, and not in the list.',
    why: 'The document has it in the registration response; its content is defined by the wallet.',
  },
  {
    topic: 'Verification of a domain',
    choice: `control.domains.verify fetches ${verificationPath} from https://, or from the origin given: status 200 and the exact content, a line break at the end allowed; no redirects, at most ${verificationTimeout / 1_000} seconds of real time and ${longestVerificationFile} bytes. A domain of testDomains is verified, or fails, by itself ${domainOutcomeAfter / 1_000} seconds after its registration.`,
    why: 'The validate operation is named without being described, and how a wallet fetches the file is undocumented.',
  },
  {
    topic: 'Domain transitions',
    choice:
      'A failed domain may be verified again, and a success removes lastVerificationError. A verified domain stays verified, and nothing is fetched.',
    why: 'Transitions out of failed and verified are undocumented.',
  },
  {
    topic: 'Fields without a value in domains and certificates',
    choice:
      'verifiedAt, lastVerificationError, notBefore, notAfter, activatedAt and revokedAt are absent until they are set.',
    why: 'Whether they are absent or null before that is undocumented.',
  },
  {
    topic: 'Creating a certificate',
    choice:
      'control.certificates.create, with a new P-256 key. Keys and what is signed with them differ in every run, also with a seed.',
    why: 'The operation that creates a record is undocumented, and keys must not come from a seed.',
  },
  {
    topic: 'Signing request and fingerprint',
    choice:
      'PKCS#10 with the merchant identifier as common name, signed by ECDSA with SHA-256; publicKeyFingerprint is the base64 of the SHA-256 of the SubjectPublicKeyInfo in DER.',
    why: 'The document has a CSR in PEM and SHA-256 of the public key; subject and encoding are undocumented.',
  },
  {
    topic: 'merchantIdHash',
    choice: 'SHA-256 of the merchant identifier, in hexadecimal.',
    why: 'Only the name is documented; Apple hashes the identifier in this way.',
  },
  {
    topic: 'Test authority',
    choice: `control.certificates.issue signs with a root that each sandbox makes for itself; certificates are valid for ${certificateDays} days from now on the sandbox's clock.`,
    why: 'The authority is not part of the platform; Apple gives 25 months.',
  },
  {
    topic: 'Certificates that cannot be activated',
    choice:
      "400 for text that is not a certificate, for another public key than the record's, for another authority than the sandbox's, and for a certificate that has expired or is not valid yet. The answer lists every reason.",
    why: 'The condition is documented and its answer is not; the validity window is documented without a rule.',
  },
  {
    topic: 'Activating an active certificate',
    choice:
      'The same certificate, as long as it is valid, returns the record unchanged; another one answers 400.',
    why: 'Only the step from issued to active is documented.',
  },
  {
    topic: 'Activating a revoked certificate',
    choice: '400: a revoked certificate stays revoked.',
    why: 'Only the step from issued to active is documented.',
  },
  {
    topic: 'Unknown certificates',
    choice: "404, also for another merchant's; a body that breaks the rules of the document is 400 first.",
    why: 'Only the 404 of withdrawals is documented.',
  },
  {
    topic: 'Filter of the certificate list',
    choice: 'The query parameter type; any other value than apple_pay_payment_processing answers 400.',
    why: 'The allowed value is documented; the name of the parameter and the answer to other values are not.',
  },
  {
    topic: 'Wallet charges without a domain or a certificate',
    choice: 'Accepted: a wallet payment needs neither a verified domain nor an active certificate.',
    why: 'The document has the use of a certificate, and no answer to a payment without one.',
  },
];
