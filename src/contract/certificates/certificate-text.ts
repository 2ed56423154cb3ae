import { isBytes, isInstance } from '../../validation/builtins.js';
import { beginsAsDer, type DerKind, detectDerKind } from './certificate-der.js';

/** A certificate in the platform's format, or the reason why the input is not a certificate. */
export interface CertificateText {
  readonly text?: string;
  readonly problem?: string;
}

const expected = 'must be a certificate as PEM, base64 of DER, or the bytes of a .cer file';

const problems: Readonly<Record<Exclude<DerKind, 'certificate'> | 'trusted', string>> = {
  key: 'contains a private key, which you must never send. Send only the certificate',
  store:
    'is a PKCS#12 file, which usually contains a private key. Send only the certificate (openssl pkcs12 -in FILE -clcerts -nokeys)',
  'public-key': 'is a public key. Send the certificate that the authority issued for it',
  request: 'is the signing request. Send the certificate that the authority issued for it',
  revocations: 'is a list of revoked certificates (CRL). Send the certificate that the authority issued',
  attributes:
    'is an attribute certificate, which has no key. Send the one that the authority issued for the CSR',
  bundle: 'is a bundle of certificates (PKCS#7). Send only the one issued for the CSR',
  status: 'is an OCSP response about a certificate. Send the certificate itself',
  trusted:
    "is a certificate with OpenSSL's trust settings. Convert it first (openssl x509 -in FILE -out certificate.pem), and send the result",
  cut: 'must be a whole certificate, got one that is cut short',
  followed: 'must be only a certificate, got data after it',
  other: expected,
};

/**
 * Maps the label of a PEM block to a problem. The first match counts, so that a private key is reported
 * first.
 */
const keyLabels: readonly [label: RegExp, problem: string][] = [
  [/PRIVATE KEY/, problems.key],
  [/REQUEST/, problems.request],
];

/** Maps the label of a PEM block to a problem, for a PEM without a certificate. */
const otherLabels: readonly [label: RegExp, problem: string][] = [
  [/^TRUSTED CERTIFICATE$/, problems.trusted],
  [/CRL$/, problems.revocations],
  [/^ATTRIBUTE CERTIFICATE$/, problems.attributes],
  [/PKCS ?#?7|^CMS$/, problems.bundle],
  [/PKCS ?#?12/, problems.store],
  [/PUBLIC KEY/, problems['public-key']],
  [/^OCSP RESPONSE$/, problems.status],
];

/** Reads a certificate: PEM, base64 or the bytes of a .cer file. A problem never repeats any of the input. */
export function readCertificate(body: Readonly<Record<string, unknown>>): CertificateText {
  try {
    const { certificate } = body;
    // Copies the bytes, because the caller could change the memory between the check and the request.
    return readInput(toBytes(certificate)?.slice() ?? certificate);
  } catch {
    return { problem: 'could not be read, because its getter throws' };
  }
}

function readInput(value: unknown): CertificateText {
  if (value === undefined) return { problem: 'is required' };
  if (typeof value === 'string') return readText(value);
  if (!isBytes(value)) return { problem: 'must be a string, or the bytes of a .cer file' };
  return beginsAsDer(value) ? readDer(value) : readText(new TextDecoder(textEncoding(value)).decode(value));
}

/**
 * Returns the bytes of a buffer or a view, or undefined for anything else. A detached buffer has no bytes.
 */
function toBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value))
    return value.byteLength === 0
      ? new Uint8Array()
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (!isInstance(value, 'ArrayBuffer')) return undefined;
  const buffer = value as ArrayBuffer;
  return buffer.byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer);
}

/** Detects the encoding from the byte order mark that Windows tools write. */
function textEncoding([first]: Uint8Array): string {
  if (first === 0xff) return 'utf-16le';
  return first === 0xfe ? 'utf-16be' : 'utf-8';
}

function readDer(bytes: Uint8Array): CertificateText {
  const kind = detectDerKind(bytes);
  return kind === 'certificate' ? { text: encodeBase64(bytes) } : { problem: problems[kind] };
}

function readText(value: string): CertificateText {
  if (!/\S/.test(value)) return { problem: 'must not be empty' };
  // Environment variables and nested JSON strings contain line breaks as two characters.
  const text = value.replace(/\\r?\\n|\\n/g, '\n');
  const blocks = pemBlocks(text);
  if (blocks.length === 0) return readBase64(text);
  const problem = problemIn(keyLabels, blocks);
  if (problem !== undefined) return { problem };
  // X509 CERTIFICATE is an older label for CERTIFICATE.
  const certificates = blocks.filter(({ label }) => /^(X509 )?CERTIFICATE$/.test(label));
  const [certificate] = certificates;
  if (certificate === undefined)
    return { problem: problemIn(otherLabels, blocks) ?? `${expected}, got a PEM of another kind` };
  if (certificates.length > 1) {
    const count = `contains ${certificates.length} certificates`;
    return { problem: `${count}. Send only the one issued for the CSR, not its chain` };
  }
  if (certificate.content === undefined) return { problem: problems.cut };
  const inside = readBase64(withoutHeaders(certificate.content));
  // The lines are rewrapped, because a PEM parser can require lines of 64 characters without indentation.
  const lines = inside.text?.replace(/.{64}(?=.)/g, '$&\n');
  return lines === undefined
    ? inside
    : { text: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

function problemIn(table: typeof keyLabels, blocks: readonly Block[]): string | undefined {
  return table.find(([label]) => blocks.some((block) => label.test(block.label)))?.[1];
}

interface Block {
  readonly label: string;
  /** The base64 between the BEGIN and END lines. Undefined if the END line is missing. */
  readonly content: string | undefined;
}

/** Finds the blocks of a PEM in one pass. */
function pemBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly label: string; readonly start: number } | undefined;
  const close = (content?: string) => {
    if (open !== undefined) blocks.push({ label: open.label, content });
    open = undefined;
  };
  for (const { 0: line, 1: word, 2: label = '', index } of text.matchAll(
    /-----(BEGIN|END) ([A-Z0-9 #]{1,64})-----/g,
  )) {
    if (word === 'END') close(label === open?.label ? text.slice(open.start, index) : undefined);
    else {
      close();
      open = { label, start: index + line.length };
    }
  }
  close();
  return blocks;
}

/** Removes headers such as `Proc-Type: …`, which end with the first empty line. */
function withoutHeaders(content: string): string {
  if (!content.includes(':')) return content;
  const end = /\r?\n[ \t]*\r?\n/.exec(content);
  return end === null ? content : content.slice(end.index);
}

function readBase64(text: string): CertificateText {
  // Some tools write URL-safe base64.
  const bytes = decodeBase64(text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'));
  if (bytes === undefined) return { problem: expected };
  const isPem = bytes.length < maxPemBytes && pemStart.test(new TextDecoder().decode(bytes.subarray(0, 64)));
  // Secret managers often store a PEM as base64.
  return isPem ? readText(new TextDecoder().decode(bytes)) : readDer(bytes);
}

const pemStart = /^\s*-----BEGIN /;

/** The maximum bytes of a PEM. A longer PEM cannot be a single certificate. */
const maxPemBytes = 1_000_000;

function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
