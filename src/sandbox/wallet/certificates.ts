import { createHash, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { Certificate } from '../../contract/certificates/types.js';
import type { Issue } from '../../input/issue.js';
import { oneOf, type Readers, readIf } from '../../input/options.js';
import type { Random } from '../random/random.js';
import { sha256 } from '../state/payload-digest.js';
import type { Tables } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { CertificateAuthority } from './certificate-authority.js';
import { createSigningRequest } from './signing-request.js';

/** Options of a certificate record. */
export interface CertificateRequest {
  /** The only type of the API document, and the default. */
  type?: 'apple_pay_payment_processing' | undefined;
  /**
   * The merchant identifier of Apple Pay: 1 to 64 letters, digits, dots and dashes. Default
   * `merchant.sandbox.example`.
   */
  merchantIdentifier?: string | undefined;
}

export const certificateReaders: Readers<CertificateRequest> = {
  type: oneOf('apple_pay_payment_processing'),
  merchantIdentifier: readIf(
    (given) => typeof given === 'string' && /^[\w.-]{1,64}$/.test(given),
    'must have 1 to 64 letters, digits, dots and dashes',
  ),
};

interface Entry {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  /** The fingerprint of the active certificate. */
  readonly fingerprint: string | undefined;
  readonly record: Readonly<Certificate>;
}

/** The wallet certificates of one merchant, and their private keys, which cannot be read. */
export class Certificates {
  readonly #entries: Table<Entry>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #authority: CertificateAuthority;

  constructor(clock: Clock, random: Random, authority: CertificateAuthority, tables: Tables) {
    this.#entries = tables.table('certificates');
    this.#clock = clock;
    this.#random = random;
    this.#authority = authority;
  }

  /** Makes a key pair and a record with its signing request. */
  async create(request: CertificateRequest = {}): Promise<Certificate> {
    const { type = 'apple_pay_payment_processing', merchantIdentifier = 'merchant.sandbox.example' } =
      request;
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
    const signingRequestPem = await createSigningRequest(keys, merchantIdentifier);
    const record: Certificate = {
      id: this.#random.uuid(),
      type,
      status: 'issued',
      signingRequestPem,
      publicKeyFingerprint: createHash('sha256').update(spki).digest('base64'),
      metadata: { merchantIdHash: sha256(merchantIdentifier) },
      createdAt: this.#clock.timestamp(),
    };
    const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.#entries.set(record.id, { privateKey, fingerprint: undefined, record });
    return copyOf(record);
  }

  /** Copies, in the order of creation. */
  list(type?: string): Certificate[] {
    const records = Array.from(this.#entries.values(), ({ record }) => copyOf(record));
    return type === undefined ? records : records.filter((record) => record.type === type);
  }

  /** A copy; undefined for an unknown id. */
  find(id: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    return entry && copyOf(entry.record);
  }

  /** Why a certificate, as PEM or as base64 of its DER, cannot be activated; empty for an unknown id. */
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

  /** Activates a certificate that has passed `issues`; undefined for an unknown id. */
  activate(id: string, text: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    const certificate = readCertificate(text);
    if (entry === undefined || certificate === undefined) return undefined;
    if (entry.record.status === 'active') return copyOf(entry.record);
    const record: Certificate = {
      ...entry.record,
      status: 'active',
      notBefore: new Date(certificate.validFrom).toISOString(),
      notAfter: new Date(certificate.validTo).toISOString(),
      activatedAt: this.#clock.timestamp(),
    };
    this.#entries.set(id, { ...entry, fingerprint: certificate.fingerprint256, record });
    return copyOf(record);
  }

  /** Revokes a certificate; a revoked one does not change. Undefined for an unknown id. */
  revoke(id: string): Certificate | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.record.status === 'revoked') return copyOf(entry.record);
    const record: Certificate = { ...entry.record, status: 'revoked', revokedAt: this.#clock.timestamp() };
    this.#entries.set(id, { ...entry, record });
    return copyOf(record);
  }

  #objections({ privateKey, fingerprint }: Entry, certificate: X509Certificate): string[] {
    const { validFrom, validTo, fingerprint256 } = certificate;
    const now = this.#clock.time();
    const objections: (string | false)[] = [
      !certificate.publicKey.equals(createPublicKey(privateKey)) &&
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

const copyOf = (record: Certificate): Certificate => structuredClone(record);

/** Undefined if the text is not a certificate. */
function readCertificate(text: string): X509Certificate | undefined {
  const isPem = text.includes('-----BEGIN CERTIFICATE-----');
  const base64 = text.replace(/\s/g, '');
  if (!isPem && !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(isPem ? text : Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
