import type { Name, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { computeSignature, type Digest, isSignature, type KeyPair } from '#sandbox-runtime';
import { fromBase64, toBase64 } from '../runtime/bytes.js';

export interface SigningRequest {
  readonly subject: Name;
  readonly publicKeyInfo: SubjectPublicKeyInfo;
}

/** The OID of ecdsa-with-SHA256. */
export const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

const commonName = '2.5.4.3';

/** Merchants' tools create signatures with ECDSA and RSA (PKCS#1 v1.5). */
const digests: Readonly<Record<string, Digest>> = {
  [ecdsaWithSha256]: 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
};

export const loadAsn1 = () => import('../runtime/asn1.js');

/** Node's small buffers share an ArrayBuffer. */
export const copyToOwnBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

export function pem(label: string, der: ArrayBuffer): string {
  const lines = toBase64(new Uint8Array(der)).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

export async function buildName(common: string): Promise<Name> {
  const { Name, RelativeDistinguishedName, AttributeTypeAndValue, AttributeValue } = await loadAsn1();
  const value = new AttributeValue({ utf8String: common });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: commonName, value })])]);
}

/** PKCS#10 in PEM, signed with its own key. */
export async function createSigningRequest(
  { publicKey, privateKey }: KeyPair,
  common: string,
): Promise<string> {
  const {
    AlgorithmIdentifier,
    AsnConvert,
    Attributes,
    CertificationRequest,
    CertificationRequestInfo,
    SubjectPublicKeyInfo,
  } = await loadAsn1();
  const info = new CertificationRequestInfo({
    subject: await buildName(common),
    subjectPKInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
    attributes: new Attributes(),
  });
  const request = new CertificationRequest({
    certificationRequestInfo: info,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: copyToOwnBuffer(computeSignature(new Uint8Array(AsnConvert.serialize(info)), privateKey)),
  });
  return pem('CERTIFICATE REQUEST', AsnConvert.serialize(request));
}

/**
 * Checks that the request is signed with its own key.
 *
 * @throws Error with the first problem of the request
 */
export async function readSigningRequest(text: string): Promise<SigningRequest> {
  const { AsnConvert, CertificationRequest } = await loadAsn1();
  const base64 = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END /.exec(text)?.[1];
  if (base64 === undefined) throw new Error('The certificate signing request is not PEM.');
  let request: InstanceType<typeof CertificationRequest>;
  try {
    request = AsnConvert.parse(fromBase64(base64), CertificationRequest);
  } catch (cause) {
    throw new Error('The certificate signing request is not PKCS#10.', { cause });
  }
  const { certificationRequestInfo, certificationRequestInfoRaw, signatureAlgorithm, signature } = request;
  const { subject, subjectPKInfo } = certificationRequestInfo;
  const digest = digests[signatureAlgorithm.algorithm];
  if (digest === undefined) {
    throw new Error(
      `The certificate signing request is signed with ${signatureAlgorithm.algorithm}; use ECDSA or RSA with SHA-2.`,
    );
  }
  const signed = new Uint8Array(
    certificationRequestInfoRaw ?? AsnConvert.serialize(certificationRequestInfo),
  );
  const key = new Uint8Array(AsnConvert.serialize(subjectPKInfo));
  if (!isSignature(digest, signed, key, new Uint8Array(signature))) {
    throw new Error('The certificate signing request is not signed with its own key.');
  }
  return { subject, publicKeyInfo: subjectPKInfo };
}
