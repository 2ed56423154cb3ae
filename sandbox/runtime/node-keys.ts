import { createHash, createPublicKey, generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto';

/** On the curve P-256. */
export interface KeyPair {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
}

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

/** ECDSA and SHA-256, in DER. */
export const computeSignature = (bytes: Uint8Array, privateKey: string): Uint8Array =>
  sign('sha256', bytes, privateKey);

export type Digest = 'sha256' | 'sha384' | 'sha512';

/** @param publicKey SubjectPublicKeyInfo in DER */
export function isSignature(
  digest: Digest,
  bytes: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    return verify(digest, bytes, key, signature);
  } catch {
    // The public key is malformed, or its kind differs from the signature's.
    return false;
  }
}

export const sha1 = (bytes: Uint8Array): Uint8Array => createHash('sha1').update(bytes).digest();

export type ReadCertificate = Pick<
  X509Certificate,
  'validFrom' | 'validTo' | 'fingerprint256' | 'publicKey' | 'verify'
>;

/**
 * Accepts PEM and DER.
 *
 * @throws Error if the content is not X.509
 */
export const readX509 = (content: string | Uint8Array): ReadCertificate => new X509Certificate(content);

/** SubjectPublicKeyInfo in DER. */
export const exportPublicKey = ({ publicKey }: ReadCertificate): Uint8Array =>
  publicKey.export({ type: 'spki', format: 'der' });

export const isSignedBy = (certificate: ReadCertificate, issuer: ReadCertificate): boolean =>
  certificate.verify(issuer.publicKey);
