const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** A certificate as the platform takes it, or why it is none. */
export interface CertificateText {
  readonly text?: string;
  readonly problem?: string;
}

/** Recognises PEM, base64 and the bytes of a .cer file. Says what is wrong without repeating any of it. */
export function readCertificate(given: unknown): CertificateText {
  if (given === undefined) return { problem: 'is required' };
  if (typeof given === 'string') return ofText(given);
  const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : given;
  if (!(bytes instanceof Uint8Array)) return { problem: 'must be text, or the bytes of a .cer file' };
  if (isDer(bytes)) return { text: base64(bytes) };
  return ofText(new TextDecoder('latin1').decode(bytes));
}

function ofText(text: string): CertificateText {
  const blocks = [...text.matchAll(block)];
  const kinds = blocks.map(([, kind = '']) => kind);
  if (kinds.some((kind) => kind.includes('PRIVATE KEY')))
    return { problem: 'holds a private key, which must never leave you: send the certificate alone' };
  if (kinds.some((kind) => kind.includes('REQUEST')))
    return { problem: 'is the signing request: send the certificate that the authority issued for it' };
  const certificates = blocks.filter(([, kind]) => kind === 'CERTIFICATE');
  if (certificates.length > 1)
    return {
      problem: `holds ${certificates.length} certificates: send only the one issued for the CSR, not its chain`,
    };
  if (certificates[0] !== undefined) return { text: `${certificates[0][0]}\n` };
  if (kinds.length > 0) return { problem: `is a ${kinds[0]?.toLowerCase()}, not a certificate` };
  const bare = text.replace(/\s+/g, '');
  return isBase64Der(bare)
    ? { text: bare }
    : { problem: 'must be a certificate: PEM, base64 of DER, or the bytes of a .cer file' };
}

/** A sequence of ASN.1 that is as long as it says: a file cut short is none. */
function isDer(bytes: Uint8Array): boolean {
  const [tag, first = 0] = bytes;
  if (tag !== 0x30) return false;
  if (first < 0x80) return bytes.length === 2 + first;
  const count = first & 0x7f;
  if (count < 1 || count > 4) return false;
  const length = bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === 2 + count + length;
}

function isBase64Der(text: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  try {
    return isDer(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return false;
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
