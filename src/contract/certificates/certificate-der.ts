const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  version: 0xa0,
};

/** The kinds of DER that a caller might pass as a certificate. */
export type DerKind =
  | 'certificate'
  | 'key'
  | 'store'
  | 'public-key'
  | 'request'
  | 'revocations'
  | 'attributes'
  | 'bundle'
  | 'status'
  | 'cut'
  | 'followed'
  | 'other';

/** Checks whether bytes begin like DER. The bytes of a PEM or base64 string never do. */
export const beginsAsDer = (bytes: Uint8Array) => bytes[0] === tags.sequence;

/** A DER element: its tag, and the start and end of its content. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Finds the kind of a DER file from its first elements. */
export function detectDerKind(bytes: Uint8Array): DerKind {
  const outer = elementAt(bytes, 0);
  if (outer?.tag !== tags.sequence) return 'other';
  if (outer.end > bytes.length) return 'cut';
  if (outer.end < bytes.length) return 'followed';
  const [first, second] = readChildren(bytes, outer, 2);
  switch (first?.tag) {
    case tags.integer:
      return kindOfKey(bytes, first, second, outer.end);
    case tags.identifier:
      return 'bundle';
    case tags.enumerated:
      return 'status';
    case tags.sequence:
      return kindOfCertificate(bytes, first, second);
    default:
      return 'other';
  }
}

/** Classifies DER that begins with a version number: 0 or 1 for a private key, 3 for a PKCS#12 file. */
function kindOfKey(bytes: Uint8Array, first: Element, second: Element | undefined, end: number): DerKind {
  const isThree = first.end - first.start === 1 && bytes[first.start] === 3;
  if (isThree && second?.tag === tags.sequence) return 'store';
  // An RSA public key consists of exactly a modulus and an exponent.
  return second?.tag === tags.integer && second.end === end ? 'public-key' : 'key';
}

/**
 * Classifies DER that begins with a sequence. The inner sequence identifies the kind:
 *
 *
 * - Certificate: the version. In version 1, the serial number and the algorithm.
 * - Revocation list: the version, if there is one, the algorithm, a name and a time.
 * - Signing request: the version number and a name.
 * - Attribute certificate: the version number and the holder.
 */
function kindOfCertificate(bytes: Uint8Array, first: Element, second: Element | undefined): DerKind {
  const parts = readChildren(bytes, first, 4);
  const head = parts[0]?.tag;
  if (head === tags.version) return 'certificate';
  if (head === tags.identifier) {
    if (second?.tag === tags.bits) return 'public-key';
    return second?.tag === tags.octets ? 'key' : 'other';
  }
  const algorithm = head === tags.integer ? 1 : 0;
  const inside = firstTagIn(bytes, parts[algorithm]);
  if (inside === tags.identifier) {
    const date = parts[algorithm + 2]?.tag;
    if (date === tags.utcTime || date === tags.time) return 'revocations';
    return algorithm === 1 ? 'certificate' : 'other';
  }
  if (algorithm === 0) return 'other';
  return inside !== undefined && inside >= tags.version ? 'attributes' : 'request';
}

/** Returns the tag of the first element in a sequence. */
function firstTagIn(bytes: Uint8Array, element: Element | undefined): number | undefined {
  return element?.tag === tags.sequence ? readChildren(bytes, element, 1)[0]?.tag : undefined;
}

function readChildren(bytes: Uint8Array, parent: Element, limit: number): Element[] {
  const found: Element[] = [];
  for (let at = parent.start; at < parent.end && found.length < limit; ) {
    const child = elementAt(bytes, at);
    if (child === undefined || child.end > parent.end) break;
    found.push(child);
    at = child.end;
  }
  return found;
}

/**
 * Reads the element at a position; undefined if there is none. The element's `end` can be beyond the last
 * byte.
 */
function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4 || first === 0x80) return undefined;
  const start = at + 2 + count;
  const long = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag, start, end: start + (count === 0 ? first : long) };
}
