import { createKeyPair, exportPublicKey, type ReadCertificate, readX509, sha256Hash } from '#sandbox-runtime';
import type { Certificate } from '../../src/contract/certificates/types.js';
import type { Issue } from '../../src/validation/issue.js';
import { type OptionReaders, oneOf, validIf } from '../../src/validation/options.js';
import type { Random } from '../random/random.js';
import { fromBase64, toBase64 } from '../runtime/bytes.js';
import { sha256 } from '../state/payload-digest.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { CertificateAuthority } from './certificate-authority.js';
import { createSigningRequest } from './certificate-signing-request.js';

/** Options of a certificate record. */
export interface CertificateRequest {
  /** The type. `apple_pay_payment_processing` is the only documented type and the default. */
  type?: 'apple_pay_payment_processing' | undefined;
  /**
   * Apple Pay's merchant identifier: 1 to 64 letters, digits, dots, dashes and underscores. Default
   * `merchant.sandbox.example`.
   */
  merchantIdentifier?: string | undefined;
}

export const certificateReaders: OptionReaders<CertificateRequest> = {
  type: oneOf('apple_pay_payment_processing'),
  merchantIdentifier: validIf(
    (value) => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value),
    'must have 1 to 64 letters, digits, dots, dashes and underscores',
  ),
};

interface Entry {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  /** The active certificate's fingerprint. */
  readonly fingerprint: string | undefined;
  readonly record: Readonly<Certificate>;
}

/** No method returns a private key. */
export class Certificates {
  readonly #entries: Table<Entry>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #authority: CertificateAuthority;

  constructor(clock: Clock, random: Random, authority: CertificateAuthority, tables: TableFactory) {
    this.#entries = tables.table('certificates');
    this.#clock = clock;
    this.#random = random;
    this.#authority = authority;
  }

  async create(request: CertificateRequest = {}): Promise<Certificate> {
    const { type = 'apple_pay_payment_processing', merchantIdentifier = 'merchant.sandbox.example' } =
      request;
    const keys = createKeyPair();
    const signingRequestPem = await createSigningRequest(keys, merchantIdentifier);
    const record: Certificate = {
      id: this.#random.uuid(),
      type,
      status: 'issued',
      signingRequestPem,
      publicKeyFingerprint: computeFingerprint(keys.publicKey),
      metadata: { merchantIdHash: sha256(merchantIdentifier) },
      createdAt: this.#clock.timestamp(),
    };
    this.#entries.set(record.id, { privateKey: keys.privateKey, fingerprint: undefined, record });
    return copyCertificate(record);
  }

  /** Copies, in the order of creation. */
  list(type?: string): Certificate[] {
    const records = Array.from(this.#entries.values(), ({ record }) => copyCertificate(record));
    return type === undefined ? records : records.filter((record) => record.type === type);
  }

  /** A copy; undefined for an unknown id. */
  find(id: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    return entry && copyCertificate(entry.record);
  }

  /**
   * Explains why a certificate, as PEM or as base64 of its DER, cannot be activated. Empty for an unknown id.
   */
  issues(id: string, text: string): Issue[] {
    const entry = this.#entries.get(id);
    if (entry === undefined) return [];
    if (entry.record.status === 'revoked') {
      return [{ path: 'id', message: 'is a revoked certificate, which cannot be activated again' }];
    }
    const certificate = readCertificate(text);
    if (certificate === undefined) {
      return [
        { path: 'certificate', message: 'must be an X.509 certificate, as PEM or as base64 of its DER' },
      ];
    }
    return this.#objections(entry, certificate).map((message) => ({ path: 'certificate', message }));
  }

  /** The certificate has passed `issues`. Undefined for an unknown id. */
  activate(id: string, text: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    const certificate = readCertificate(text);
    if (entry === undefined || certificate === undefined) return undefined;
    if (entry.record.status === 'active') return copyCertificate(entry.record);
    const record: Certificate = {
      ...entry.record,
      status: 'active',
      notBefore: new Date(certificate.validFrom).toISOString(),
      notAfter: new Date(certificate.validTo).toISOString(),
      activatedAt: this.#clock.timestamp(),
    };
    this.#entries.set(id, { ...entry, fingerprint: certificate.fingerprint256, record });
    return copyCertificate(record);
  }

  /** A revoked certificate does not change. Undefined for an unknown id. */
  revoke(id: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.record.status === 'revoked') return copyCertificate(entry.record);
    const record: Certificate = { ...entry.record, status: 'revoked', revokedAt: this.#clock.timestamp() };
    this.#entries.set(id, { ...entry, record });
    return copyCertificate(record);
  }

  #objections({ record, fingerprint }: Entry, certificate: ReadCertificate): string[] {
    const { validFrom, validTo, fingerprint256 } = certificate;
    const now = this.#clock.time();
    const objections: (string | false)[] = [
      computeFingerprint(exportPublicKey(certificate)) !== record.publicKeyFingerprint &&
        "carries another public key than this record's signing request",
      !this.#authority.hasIssued(certificate) && "was not issued by the sandbox's authority",
      now < Date.parse(validFrom) && `is not valid before ${new Date(validFrom).toISOString()}`,
      now > Date.parse(validTo) && `expired at ${new Date(validTo).toISOString()}`,
      fingerprint !== undefined &&
        fingerprint !== fingerprint256 &&
        'is not the certificate that is already active',
    ];
    return objections.filter((objection) => objection !== false);
  }
}

/** SHA-256 in base64. */
const computeFingerprint = (publicKey: Uint8Array): string =>
  toBase64(sha256Hash().update(publicKey).digest());

const copyCertificate = (record: Certificate): Certificate => structuredClone(record);

/** Undefined if the string is not a certificate. */
function readCertificate(text: string): ReadCertificate | undefined {
  const isPem = text.includes('-----BEGIN CERTIFICATE-----');
  const base64 = text.replace(/\s/g, '');
  if (!isPem && !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return readX509(isPem ? text : fromBase64(base64));
  } catch {
    return undefined;
  }
}
