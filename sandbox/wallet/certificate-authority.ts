import type { Extension, Name, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import {
  computeSignature,
  createKeyPair,
  isSignedBy,
  type ReadCertificate,
  readX509,
  sha1,
} from '#sandbox-runtime';
import { certificateDays } from '../defaults/wallet.js';
import type { Random } from '../random/random.js';
import { fromBase64, fromHex, toBase64 } from '../runtime/bytes.js';
import type { TableFactory } from '../state/state.js';
import type { Codec, Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import { day } from '../time/units.js';
import {
  buildName,
  copyToOwnBuffer,
  ecdsaWithSha256,
  loadAsn1,
  pem,
  readSigningRequest,
} from './certificate-signing-request.js';

/** An issued certificate. */
export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** The certificate in DER, the bytes of a .cer file. */
  readonly der: Uint8Array;
  /** The authority's own certificate in PEM, for `openssl verify -CAfile`. */
  readonly authority: string;
}

const authorityName = 'Payment Platform Sandbox Test Authority';
const authorityDays = 20 * 365;

type Asn1 = Awaited<ReturnType<typeof loadAsn1>>;

interface Root {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  readonly keyId: ArrayBuffer;
  readonly pem: string;
  readonly certificate: ReadCertificate;
}

/** The key of the table's only row, which contains the root certificate. */
const rootKey = 'root';

const rootCodec: Codec<Root> = {
  encode: ({ privateKey, keyId, pem }) => ({ privateKey, keyId: toBase64(new Uint8Array(keyId)), pem }),
  decode: (json) => {
    const { privateKey, keyId, pem } = json as { privateKey: string; keyId: string; pem: string };
    return {
      privateKey,
      keyId: fromBase64(keyId).buffer,
      pem,
      certificate: readX509(pem),
    };
  },
};

interface CertificateContent {
  readonly subject: Name;
  readonly issuer: Name;
  readonly publicKeyInfo: SubjectPublicKeyInfo;
  readonly days: number;
  readonly extensions: Extension[];
}

/** Its private key is created when the first certificate is issued. */
export class CertificateAuthority {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #roots: Table<Root>;

  constructor(clock: Clock, random: Random, tables: TableFactory) {
    this.#clock = clock;
    this.#random = random;
    this.#roots = tables.table('authority', rootCodec);
  }

  get #root(): Root | undefined {
    return this.#roots.get(rootKey);
  }

  /**
   * The certificate is valid from now on, on the sandbox's clock.
   *
   * @throws Error if the string is not a PKCS#10 request in PEM, or not signed with its own key
   */
  async issue(signingRequest: string): Promise<IssuedCertificate> {
    const { subject, publicKeyInfo } = await readSigningRequest(signingRequest);
    const name = await buildName(authorityName);
    const parts = await loadAsn1();
    // Nothing is awaited from here on, so that two concurrent requests do not create two roots.
    const root = this.#root ?? this.#roots.set(rootKey, this.#createRoot(parts, name));
    const der = this.#sign(parts, root.privateKey, {
      subject,
      issuer: name,
      publicKeyInfo,
      days: certificateDays,
      extensions: leafExtensions(parts, computeKeyId(publicKeyInfo), root.keyId),
    });
    return { certificate: pem('CERTIFICATE', der), der: new Uint8Array(der), authority: root.pem };
  }

  hasIssued(certificate: ReadCertificate): boolean {
    const root = this.#root?.certificate;
    return root !== undefined && isSignedBy(certificate, root);
  }

  #createRoot(parts: Asn1, name: Name): Root {
    const { publicKey, privateKey } = createKeyPair();
    const publicKeyInfo = parts.AsnConvert.parse(publicKey, parts.SubjectPublicKeyInfo);
    const keyId = computeKeyId(publicKeyInfo);
    const der = this.#sign(parts, privateKey, {
      subject: name,
      issuer: name,
      publicKeyInfo,
      days: authorityDays,
      extensions: rootExtensions(parts, keyId),
    });
    const certificate = readX509(new Uint8Array(der));
    return { privateKey, keyId, pem: pem('CERTIFICATE', der), certificate };
  }

  #sign(parts: Asn1, privateKey: string, draft: CertificateContent): ArrayBuffer {
    const { AlgorithmIdentifier, AsnConvert, Certificate, Extensions, TBSCertificate, Validity, Version } =
      parts;
    const signature = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
    const now = this.#clock.time();
    const body = new TBSCertificate({
      version: Version.v3,
      // The first digit 4 makes the number positive and 16 bytes long.
      serialNumber: fromHex(`4${this.#random.hex(31)}`).buffer,
      signature,
      issuer: draft.issuer,
      validity: new Validity({ notBefore: new Date(now), notAfter: new Date(now + draft.days * day) }),
      subject: draft.subject,
      subjectPublicKeyInfo: draft.publicKeyInfo,
      extensions: new Extensions(draft.extensions),
    });
    return AsnConvert.serialize(
      new Certificate({
        tbsCertificate: body,
        signatureAlgorithm: signature,
        signatureValue: copyToOwnBuffer(
          computeSignature(new Uint8Array(AsnConvert.serialize(body)), privateKey),
        ),
      }),
    );
  }
}

/** RFC 5280, 4.2.1.2, method 1: SHA-1, used only as an identifier. */
function computeKeyId({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return copyToOwnBuffer(sha1(new Uint8Array(subjectPublicKey)));
}

function rootExtensions(parts: Asn1, keyId: ArrayBuffer): Extension[] {
  const { BasicConstraints, KeyUsage, KeyUsageFlags, SubjectKeyIdentifier } = parts;
  return [
    extension(parts, parts.id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
    extension(parts, parts.id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign), true),
    extension(parts, parts.id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyId)),
  ];
}

/** Its key can be used for key agreement only. */
function leafExtensions(parts: Asn1, keyId: ArrayBuffer, issuerKeyId: ArrayBuffer): Extension[] {
  const { AuthorityKeyIdentifier, BasicConstraints, KeyIdentifier, KeyUsage, KeyUsageFlags } = parts;
  const issuer = new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(issuerKeyId) });
  return [
    extension(parts, parts.id_ce_basicConstraints, new BasicConstraints(), true),
    extension(parts, parts.id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyAgreement), true),
    extension(parts, parts.id_ce_subjectKeyIdentifier, new parts.SubjectKeyIdentifier(keyId)),
    extension(parts, parts.id_ce_authorityKeyIdentifier, issuer),
  ];
}

function extension(
  { AsnConvert, Extension, OctetString }: Asn1,
  extnID: string,
  value: object,
  critical = false,
): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}
