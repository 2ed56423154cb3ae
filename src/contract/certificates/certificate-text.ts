import { isInstance } from '../../validation/builtins.js';

export interface CertificateText {
  readonly text?: string;
  readonly problem?: string;
}

const expected = 'must be one certificate: PEM, base64 of DER, or the bytes of a .cer file';
const other = `${expected}. A CSR, a CRL or a PKCS#7 bundle is not a certificate. Never send a private key, or a PKCS#12 file, which contains one`;

/** In characters or bytes. A certificate has a few thousand. */
const maxLength = 100_000;

/** A problem never repeats any of the input. */
export function readCertificate({ certificate }: Readonly<Record<string, unknown>>): CertificateText {
  if (certificate === undefined) return { problem: 'is required' };
  const value = typeof certificate === 'string' ? certificate : toBytes(certificate);
  if (value === undefined) return { problem: 'must be a string, or the bytes of a .cer file' };
  if (value.length > maxLength) return { problem: expected };
  if (typeof value === 'string') return readText(value);
  return value[0] === tags.sequence ? readDer(value) : readText(new TextDecoder().decode(value));
}

function toBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isInstance(value, 'ArrayBuffer') ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** Matches a certificate in PEM. X509 CERTIFICATE is an older label. */
const block = /-----BEGIN (X509 )?CERTIFICATE-----([^-]*)-----END \1?CERTIFICATE-----/g;

function readText(value: string): CertificateText {
  if (value.trim() === '') return { problem: 'must not be empty' };
  if (value.includes('PRIVATE KEY-----'))
    return { problem: 'contains a private key, which you must never send. Send only the certificate' };
  // Environment variables and nested JSON strings contain line breaks as two characters.
  const text = value.replace(/\\r?\\n|\\n/g, '\n');
  const [first, ...more] = text.matchAll(block);
  if (more.length > 0)
    return {
      problem: `contains ${more.length + 1} certificates. Send only the one issued for the CSR, not its chain`,
    };
  const bytes = decodeBase64(first?.[2] ?? text);
  if (bytes === undefined) return { problem: text.includes('-----BEGIN ') ? other : expected };
  if (bytes[0] !== tags.sequence) {
    // Secret managers often store a PEM as base64.
    const inside = new TextDecoder().decode(bytes);
    return inside.includes('-----BEGIN ') ? readText(inside) : { problem: other };
  }
  const read = readDer(bytes);
  // The lines are rewrapped, because a PEM parser can require lines of 64 characters without indentation.
  const lines = read.text?.replace(/.{64}(?=.)/g, '$&\n');
  return first === undefined || lines === undefined
    ? read
    : { text: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

const tags = { sequence: 0x30, version: 0xa0 };

/**
 * Reads DER. A certificate is a sequence of exactly the file's length, which begins with a sequence, which
 * begins with a version tag. Keys, PKCS#12 files, PKCS#7 bundles, CSRs and CRLs begin in another way.
 */
function readDer(bytes: Uint8Array): CertificateText {
  const outer = elementAt(bytes, 0);
  const inner = elementAt(bytes, outer.start);
  if (bytes[outer.start] !== tags.sequence || bytes[inner.start] !== tags.version) return { problem: other };
  if (outer.end > bytes.length) return { problem: `${expected}, got one that is cut short` };
  if (outer.end < bytes.length) return { problem: `${expected}, got data after it` };
  return { text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}

function elementAt(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1] ?? 0;
  // A length from 128 on is preceded by the number of its bytes.
  const start = at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  const length =
    first < 0x80 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { start, end: start + length };
}

function decodeBase64(text: string): Uint8Array | undefined {
  // Some tools write URL-safe base64.
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return undefined;
  try {
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
