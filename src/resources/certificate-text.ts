const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** A certificate as the platform takes it, or why it is none. */
export interface CertificateText {
  readonly text?: string;
  readonly problem?: string;
}

const problems = {
  key: 'holds a private key, which must never leave you: send the certificate alone',
  request: 'is the signing request: send the certificate that the authority issued for it',
  bundle: 'is a bundle of certificates (PKCS#7): send only the one issued for the CSR',
  other: 'must be a certificate: PEM, base64 of DER, or the bytes of a .cer file',
};

/** Recognises PEM, base64 and the bytes of a .cer file. Says what is wrong without repeating any of it. */
export function readCertificate(body: Readonly<Record<string, unknown>>): CertificateText {
  let given: unknown;
  try {
    given = body.certificate;
  } catch {
    return { problem: 'could not be read: its getter throws' };
  }
  if (given === undefined) return { problem: 'is required' };
  if (typeof given === 'string') return ofText(given);
  const bytes = bytesOf(given);
  if (bytes === undefined) return { problem: 'must be text, or the bytes of a .cer file' };
  if (bytes[0] !== tags.sequence)
    return ofText(new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8').decode(bytes));
  const problem = problemOf(bytes);
  return problem === undefined ? { text: base64(bytes) } : { problem };
}

function bytesOf(given: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const isBuffer = Object.prototype.toString.call(given) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(given as ArrayBuffer) : undefined;
}

function ofText(text: string): CertificateText {
  const blocks = [...text.matchAll(block)];
  const kinds = blocks.map(([, kind = '']) => kind);
  if (kinds.some((kind) => kind.includes('PRIVATE KEY'))) return { problem: problems.key };
  if (kinds.some((kind) => kind.includes('REQUEST'))) return { problem: problems.request };
  const certificates = blocks.filter(([, kind]) => kind === 'CERTIFICATE');
  if (certificates.length > 1) {
    const count = `holds ${certificates.length} certificates`;
    return { problem: `${count}: send only the one issued for the CSR, not its chain` };
  }
  const [pem, , inside = text] = certificates[0] ?? [];
  if (pem === undefined && kinds.length > 0)
    return { problem: `is a ${kinds[0]?.toLowerCase()}, not a certificate` };
  const bare = inside.replace(/\s+/g, '');
  const bytes = decoded(bare);
  const problem = bytes === undefined ? problems.other : problemOf(bytes);
  if (problem !== undefined) return { problem };
  if (pem === undefined) return { text: bare };
  // Written anew: a reader of PEM may insist on lines of 64, and take no indentation.
  const lines = bare.replace(/.{64}(?=.)/g, '$&\n');
  return { text: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

const tags = { integer: 0x02, identifier: 0x06, sequence: 0x30, version: 0xa0 };

/**
 * Says why DER is no certificate, by its first elements. A certificate is a sequence that begins with a
 * sequence that begins with its version. A key begins with a number, and a request with a sequence that
 * begins with one; an encrypted key with a sequence that begins with an identifier.
 */
function problemOf(bytes: Uint8Array): string | undefined {
  const outer = elementAt(bytes, 0);
  if (outer?.tag !== tags.sequence || outer.end !== bytes.length) return problems.other;
  const first = elementAt(bytes, outer.start);
  if (first?.tag === tags.integer) return problems.key;
  if (first?.tag === tags.identifier) return problems.bundle;
  const inner = first?.tag === tags.sequence ? elementAt(bytes, first.start) : undefined;
  if (inner?.tag === tags.version) return undefined;
  if (inner?.tag === tags.integer) {
    // A v1 certificate says no version: after its serial number comes an algorithm, in a request a name.
    const second = elementAt(bytes, inner.end);
    const isAlgorithm =
      second?.tag === tags.sequence && elementAt(bytes, second.start)?.tag === tags.identifier;
    return isAlgorithm ? undefined : problems.request;
  }
  return inner?.tag === tags.identifier ? problems.key : problems.other;
}

/** One element of DER: its tag, and where its content begins and ends. Undefined where it does not fit in. */
function elementAt(bytes: Uint8Array, at: number): { tag: number; start: number; end: number } | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4 || first === 0x80) return undefined;
  const start = at + 2 + count;
  const long = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = start + (count === 0 ? first : long);
  return end <= bytes.length ? { tag, start, end } : undefined;
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
