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

/** What DER can be that somebody takes for a certificate. */
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

/** Bytes that begin as DER does; text never does. */
export const beginsAsDer = (bytes: Uint8Array) => bytes[0] === tags.sequence;

/** One element of DER: its tag, and where its content begins and ends. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Says what DER is by its first elements. */
export function kindOfDer(bytes: Uint8Array): DerKind {
  const outer = elementAt(bytes, 0);
  if (outer?.tag !== tags.sequence) return 'other';
  if (outer.end > bytes.length) return 'cut';
  if (outer.end < bytes.length) return 'followed';
  const [first, second] = childrenOf(bytes, outer, 2);
  switch (first?.tag) {
    case tags.integer:
      return kindOfNumbered(bytes, first, second, outer.end);
    case tags.identifier:
      return 'bundle';
    case tags.enumerated:
      return 'status';
    case tags.sequence:
      return kindOfSigned(bytes, first, second);
    default:
      return 'other';
  }
}

/** What begins with a number is a key, or a store of keys (PKCS#12), which says 3 where a key says 0 or 1. */
function kindOfNumbered(
  bytes: Uint8Array,
  first: Element,
  second: Element | undefined,
  end: number,
): DerKind {
  const isThree = first.end - first.start === 1 && bytes[first.start] === 3;
  if (isThree && second?.tag === tags.sequence) return 'store';
  // A modulus and an exponent, and nothing after.
  return second?.tag === tags.integer && second.end === end ? 'public-key' : 'key';
}

/**
 * A certificate is a sequence that begins with its version, or in version 1 with its serial number and an
 * algorithm. A list of revocations has an algorithm and a name, too, and then a time; a request has a name
 * after its number; an attribute certificate a holder.
 */
function kindOfSigned(bytes: Uint8Array, first: Element, second: Element | undefined): DerKind {
  const parts = childrenOf(bytes, first, 4);
  const head = parts[0]?.tag;
  if (head === tags.version) return 'certificate';
  if (head === tags.identifier) {
    if (second?.tag === tags.bits) return 'public-key';
    return second?.tag === tags.octets ? 'key' : 'other';
  }
  const algorithm = head === tags.integer ? 1 : 0;
  const inside = insideOf(bytes, parts[algorithm]);
  if (inside === tags.identifier) {
    const date = parts[algorithm + 2]?.tag;
    if (date === tags.utcTime || date === tags.time) return 'revocations';
    return algorithm === 1 ? 'certificate' : 'other';
  }
  if (algorithm === 0) return 'other';
  return inside !== undefined && inside >= tags.version ? 'attributes' : 'request';
}

/** The tag of the first element in a sequence. */
function insideOf(bytes: Uint8Array, element: Element | undefined): number | undefined {
  return element?.tag === tags.sequence ? childrenOf(bytes, element, 1)[0]?.tag : undefined;
}

function childrenOf(bytes: Uint8Array, parent: Element, most: number): Element[] {
  const found: Element[] = [];
  for (let at = parent.start; at < parent.end && found.length < most; ) {
    const child = elementAt(bytes, at);
    if (child === undefined || child.end > parent.end) break;
    found.push(child);
    at = child.end;
  }
  return found;
}

/** Undefined where no element begins. It may say that it ends beyond the bytes. */
function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4 || first === 0x80) return undefined;
  const start = at + 2 + count;
  const long = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { tag, start, end: start + (count === 0 ? first : long) };
}
