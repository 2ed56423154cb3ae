import { fromBase64, fromHex, joinBytes, toBase64, toHex } from './bytes.js';
import { sha1 as hashSha1, p256, sha256, sha384, sha512 } from './noble.js';
import type { Digest, KeyPair } from './node-keys.js';
import { type ParsedCertificate, parseCertificate } from './parse-certificate.js';

const hashes = { sha256, sha384, sha512 };

/** In DER. The private key has 32 bytes. */
const beforePrivate = fromHex('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420');
const beforePublic = fromHex('a144034200');

/** In DER, before the point. */
const publicPrefix = fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200');

export function createKeyPair(): KeyPair {
  const secret = p256.utils.randomPrivateKey();
  const point = p256.getPublicKey(secret, false);
  const lines = toBase64(joinBytes([beforePrivate, secret, beforePublic, point])).match(/.{1,64}/g) ?? [];
  return {
    privateKey: ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
    publicKey: joinBytes([publicPrefix, point]),
  };
}

export function computeSignature(bytes: Uint8Array, privateKey: string): Uint8Array {
  const secret = readContent(privateKey).subarray(beforePrivate.length, beforePrivate.length + 32);
  return p256.sign(sha256(bytes), secret).toDERRawBytes();
}

/** @throws Error for a public key of another kind */
export function isSignature(
  digest: Digest,
  bytes: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!toHex(publicKey).startsWith(toHex(publicPrefix))) {
    throw new Error('In a browser and in a Worker, the sandbox takes only keys on the curve P-256.');
  }
  try {
    const point = publicKey.subarray(publicPrefix.length);
    return p256.verify(signature, hashes[digest](bytes), point, { lowS: false });
  } catch {
    // The point or the signature is malformed.
    return false;
  }
}

export const sha1 = (bytes: Uint8Array): Uint8Array => hashSha1(bytes);

type ReadCertificate = ParsedCertificate & { readonly fingerprint256: string };

export function readX509(content: string | Uint8Array): ReadCertificate {
  const der = typeof content === 'string' ? readContent(content) : content;
  const fingerprint256 = toHex(sha256(der))
    .toUpperCase()
    .replace(/..(?=.)/g, '$&:');
  return { ...parseCertificate(der), fingerprint256 };
}

export const exportPublicKey = ({ publicKey }: ReadCertificate): Uint8Array => publicKey;

export const isSignedBy = ({ signed, signature }: ReadCertificate, issuer: ReadCertificate): boolean =>
  isSignature('sha256', signed, issuer.publicKey, signature);

const readContent = (pem: string) =>
  fromBase64(/-----BEGIN [A-Z ]+-----([^-]*)-----END /.exec(pem)?.[1] ?? '');
