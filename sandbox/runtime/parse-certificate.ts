/** RFC 5280, 4.1. */
export interface ParsedCertificate {
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** The signed bytes. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** In DER. */
interface Value {
  readonly tag: number;
  /** With the tag and the length. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

const sequence = 0x30;
const bitString = 0x03;
const utcTime = 0x17;
const generalizedTime = 0x18;
/** The tag of a certificate's version, which is optional. */
const explicitVersion = 0xa0;

/** @throws Error if the certificate is malformed */
export function parseCertificate(der: Uint8Array): ParsedCertificate {
  const certificate = valueAt(der, 0);
  if (certificate.whole.length !== der.length) throw malformed();
  const [body, , signature] = valuesIn(certificate, sequence);
  const fields = valuesIn(body, sequence);
  if (fields[0]?.tag === explicitVersion) fields.shift();
  const [, , , validity, , publicKey] = fields;
  const [from, to] = valuesIn(validity, sequence).map(parseTime);
  if (from === undefined || to === undefined || publicKey?.tag !== sequence) throw malformed();
  if (body === undefined || signature?.tag !== bitString) throw malformed();
  return {
    validFrom: from,
    validTo: to,
    publicKey: publicKey.whole,
    signed: body.whole,
    // The first byte counts unused bits, which must be none.
    signature: signature.content.subarray(1),
  };
}

const malformed = () => new Error('The certificate is malformed.');

function valuesIn(parent: Value | undefined, tag: number): Value[] {
  if (parent?.tag !== tag) throw malformed();
  const values: Value[] = [];
  for (let at = 0; at < parent.content.length; ) {
    const value = valueAt(parent.content, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function valueAt(bytes: Uint8Array, at: number): Value {
  const [tag, first] = bytes.subarray(at);
  if (tag === undefined || first === undefined) throw malformed();
  // From 128 on, the first byte contains the number of length bytes.
  const more = first < 128 ? 0 : first - 128;
  const start = at + 2 + more;
  const length =
    more === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length > bytes.length) throw malformed();
  return { tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

function parseTime({ tag, content }: Value): string {
  const text = new TextDecoder().decode(content);
  const digits = tag === generalizedTime ? text : `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  if (year === undefined || (tag !== utcTime && tag !== generalizedTime)) throw malformed();
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
