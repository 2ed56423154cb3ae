import { beginsAsDer, type DerKind, kindOfDer } from './certificate-der.js';

/** A certificate as the platform takes it, or why it is none. */
export interface CertificateText {
  readonly text?: string;
  readonly problem?: string;
}

const other = 'must be a certificate: PEM, base64 of DER, or the bytes of a .cer file';

const problems: Readonly<Record<Exclude<DerKind, 'certificate'> | 'trusted', string>> = {
  key: 'holds a private key, which must never leave you: send the certificate alone',
  store:
    'is a PKCS#12 file, which is made to hold a private key: send the certificate alone (openssl pkcs12 -in FILE -clcerts -nokeys)',
  'public-key': 'is a public key: send the certificate that the authority issued for it',
  request: 'is the signing request: send the certificate that the authority issued for it',
  revocations: 'is a list of revoked certificates (CRL): send the certificate that the authority issued',
  attributes:
    'is an attribute certificate, which has no key: send the one that the authority issued for the CSR',
  bundle: 'is a bundle of certificates (PKCS#7): send only the one issued for the CSR',
  status: 'is the answer of an authority about a certificate (OCSP): send the certificate itself',
  trusted:
    'is a certificate with trust settings that OpenSSL adds: write it without them (openssl x509 -in FILE -out certificate.pem), and send that',
  cut: 'must be a certificate as a whole: this one is cut short',
  followed: 'must be a certificate and nothing else: something follows it',
  other,
};

/** By what the first line of a PEM says. The first that fits counts: a key is told before anything else. */
const labels: readonly [label: RegExp, problem: string][] = [
  [/PRIVATE KEY/, problems.key],
  [/REQUEST/, problems.request],
];

/** Of a PEM without a certificate in it. */
const otherLabels: readonly [label: RegExp, problem: string][] = [
  [/^TRUSTED CERTIFICATE$/, problems.trusted],
  [/CRL$/, problems.revocations],
  [/^ATTRIBUTE CERTIFICATE$/, problems.attributes],
  [/PKCS ?#?7|^CMS$/, problems.bundle],
  [/PKCS ?#?12/, problems.store],
  [/PUBLIC KEY/, problems['public-key']],
  [/^OCSP RESPONSE$/, problems.status],
];

/** Recognises PEM, base64 and the bytes of a .cer file. Says what is wrong without repeating any of it. */
export function readCertificate(body: Readonly<Record<string, unknown>>): CertificateText {
  let given: unknown;
  try {
    const { certificate } = body;
    // A copy: what is checked is what is sent, whoever else can write to the memory.
    given = bytesOf(certificate)?.slice() ?? certificate;
  } catch {
    return { problem: 'could not be read: its getter throws' };
  }
  if (given === undefined) return { problem: 'is required' };
  if (typeof given === 'string') return ofText(given);
  if (!(given instanceof Uint8Array)) return { problem: 'must be text, or the bytes of a .cer file' };
  return beginsAsDer(given) ? ofDer(given) : ofText(new TextDecoder(encodingOf(given)).decode(given));
}

/** Undefined for what is no bytes. One that was transferred to somebody else has none. */
function bytesOf(given: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(given))
    return given.byteLength === 0
      ? new Uint8Array()
      : new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (Object.prototype.toString.call(given) !== '[object ArrayBuffer]') return undefined;
  const buffer = given as ArrayBuffer;
  return buffer.byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer);
}

/** By the byte order mark that Windows tools write. */
function encodingOf([first]: Uint8Array): string {
  if (first === 0xff) return 'utf-16le';
  return first === 0xfe ? 'utf-16be' : 'utf-8';
}

function ofDer(bytes: Uint8Array): CertificateText {
  const kind = kindOfDer(bytes);
  return kind === 'certificate' ? { text: base64(bytes) } : { problem: problems[kind] };
}

function ofText(text: string): CertificateText {
  if (!/\S/.test(text)) return { problem: 'must not be empty' };
  const blocks = blocksOf(text);
  if (blocks.length === 0) return ofBase64(text);
  const problem = problemIn(labels, blocks);
  if (problem !== undefined) return { problem };
  // An old name of the same thing.
  const certificates = blocks.filter(({ label }) => /^(X509 )?CERTIFICATE$/.test(label));
  const [certificate] = certificates;
  if (certificate === undefined)
    return { problem: problemIn(otherLabels, blocks) ?? `${other}; this is a PEM of another kind` };
  if (certificates.length > 1) {
    const count = `holds ${certificates.length} certificates`;
    return { problem: `${count}: send only the one issued for the CSR, not its chain` };
  }
  if (certificate.content === undefined) return { problem: problems.cut };
  const inside = ofBase64(withoutHeaders(certificate.content));
  // Written anew: a reader of PEM may insist on lines of 64, and take no indentation.
  const lines = inside.text?.replace(/.{64}(?=.)/g, '$&\n');
  return lines === undefined
    ? inside
    : { text: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

function problemIn(table: typeof labels, blocks: readonly Block[]): string | undefined {
  return table.find(([label]) => blocks.some((block) => label.test(block.label)))?.[1];
}

interface Block {
  readonly label: string;
  /** Undefined where its last line is missing. */
  readonly content: string | undefined;
}

/** The parts of a PEM, in one pass however many lines say BEGIN. */
function blocksOf(text: string): Block[] {
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

/** Lines such as `Proc-Type: …` stand before the first empty line. */
function withoutHeaders(content: string): string {
  if (!content.includes(':')) return content;
  const end = /\r?\n[ \t]*\r?\n/.exec(content);
  return end === null ? content : content.slice(end.index);
}

function ofBase64(text: string): CertificateText {
  // Some tools write base64 as it goes into a URL.
  const bytes = decoded(text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'));
  return bytes === undefined ? { problem: other } : ofDer(bytes);
}

function decoded(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
