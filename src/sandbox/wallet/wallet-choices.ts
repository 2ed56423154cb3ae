import { certificateDays } from './authority.js';
import { longestVerificationFile, verificationPath, verificationPatience } from './domains.js';

/** Statuses of the answers to POST /v1/payment-method-domains. */
export const domainStatus = Object.freeze({ registered: 201, known: 200 });

/** What the API document leaves open about wallet domains and certificates. */
export const walletChoices = [
  {
    topic: 'Domain registration statuses',
    choice: `${domainStatus.registered} for a new domain, ${domainStatus.known} for one that is registered already.`,
    why: 'Not shown; the second call creates nothing.',
  },
  {
    topic: 'Domain names',
    choice: 'Compared without regard to case; the record keeps the name as it was first sent.',
    why: 'Hostnames have no case, and the document says only that an existing domain is returned.',
  },
  {
    topic: 'Verification file',
    choice:
      'Seeded hexadecimal content; shown in every answer to a registration, the repeated one included, and not in the list.',
    why: 'The document shows it in the registration response; what is in it is the business of the wallet.',
  },
  {
    topic: 'Verification of a domain',
    choice: `control.domains.verify fetches ${verificationPath} from https://, or from the origin given: status 200 and the exact content, a line break at the end allowed; no redirects, at most ${verificationPatience / 1_000} seconds of real time and ${longestVerificationFile} bytes.`,
    why: 'The validate operation is named and not shown; how a wallet fetches the file is not either.',
  },
  {
    topic: 'Domain transitions',
    choice:
      'A failed domain may be verified again, and lastVerificationError goes when that succeeds. A verified domain stays verified, and nothing is fetched.',
    why: 'Transitions out of failed and verified are not shown.',
  },
  {
    topic: 'Fields without a value in domains and certificates',
    choice:
      'verifiedAt, lastVerificationError, notBefore, notAfter, activatedAt and revokedAt are absent until they are set.',
    why: 'Whether they are absent or null before that is not shown.',
  },
  {
    topic: 'Creating a certificate',
    choice:
      'control.certificates.create, with a new P-256 key: keys and what is signed with them differ from run to run, the seed does not reach them.',
    why: 'The operation that creates a record is not shown, and a seeded stream is no source of keys.',
  },
  {
    topic: 'Signing request and fingerprint',
    choice:
      'PKCS#10 with the merchant identifier as common name, signed by ECDSA with SHA-256; publicKeyFingerprint is of the SubjectPublicKeyInfo in DER.',
    why: 'The document shows a CSR in PEM and SHA-256 of the public key, and neither subject nor encoding.',
  },
  {
    topic: 'merchantIdHash',
    choice: 'SHA-256 of the merchant identifier, in hexadecimal.',
    why: 'The document shows the name only; this is how Apple hashes the identifier.',
  },
  {
    topic: 'Test authority',
    choice: `control.certificates.issue signs with a root that each sandbox makes for itself; certificates are valid for ${certificateDays} days from now on the sandbox's clock.`,
    why: 'The authority is not part of the platform; Apple gives 25 months.',
  },
  {
    topic: 'Certificates that cannot be activated',
    choice:
      "400 for what is no certificate, for another public key than the record's, for another authority than the sandbox's, and for one that has expired or is not valid yet; all that applies is listed.",
    why: 'The condition is stated and its answer is not; the validity window is shown without a rule.',
  },
  {
    topic: 'Activating an active certificate',
    choice: 'The same certificate, while it is valid, returns the record unchanged; another one answers 400.',
    why: 'Only the step from issued to active is shown.',
  },
  {
    topic: 'Activating a revoked certificate',
    choice: '400: a revoked certificate stays revoked.',
    why: 'Only the step from issued to active is shown.',
  },
  {
    topic: 'Unknown certificates',
    choice: "404, another merchant's included; a body that breaks the rules of the document is 400 first.",
    why: 'Only the 404 of withdrawals is shown.',
  },
  {
    topic: 'Filter of the certificate list',
    choice: 'The query parameter type; another value than apple_pay_payment_processing answers 400.',
    why: 'The allowed value is shown, the name of the parameter and the answer to other values are not.',
  },
  {
    topic: 'Wallet charges without a domain or a certificate',
    choice: 'Accepted: a wallet payment asks for neither a verified domain nor an active certificate.',
    why: 'The document says what a certificate applies to, and not what happens without one.',
  },
] as const satisfies readonly { topic: string; choice: string; why: string }[];
