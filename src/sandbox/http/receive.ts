import { createHash } from 'node:crypto';
import { contentTypes } from './request-body.js';

/** The most that JSON, or a caller without valid credentials, may make the sandbox keep: bytes. */
export const largestText = 1024 * 1024;

/** The most that a form with its files may have, where a sandbox is not told otherwise: bytes. */
export const defaultMaxBody = 64 * 1024 * 1024;

/** A body that has arrived in full. */
export interface Received {
  /** Undefined when it was more than may be kept. */
  readonly bytes: Uint8Array | undefined;
  /** SHA-256 of all of it, in hexadecimal. */
  readonly digest: string;
}

/** How much of a body is taken: bytes. */
export interface BodyLimits {
  /** A longer one is refused. */
  readonly most: number;
  /** A longer one is not kept: it is read to its end, for callers that listen only then. */
  readonly kept: number;
}

/**
 * Decides from the head of a request. A form without valid credentials is not kept, and not refused for
 * its size either: its caller is told that the credentials are wrong, or the token expired.
 */
export function bodyLimits(headers: Headers, isKnown: boolean, maxBody: number): BodyLimits {
  const small = Math.min(maxBody, largestText);
  const most = mediaType(headers) === contentTypes.multipart ? maxBody : small;
  return { most, kept: isKnown ? most : small };
}

/** The type in a Content-Type, without its parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body; `too-large` as soon as that is known, and then no further. */
export async function receive(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  { most, kept }: BodyLimits,
): Promise<Received | 'too-large'> {
  if (Number(headers.get('content-length')) > most) return 'too-large';
  const hash = createHash('sha256');
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) return 'too-large';
    hash.update(chunk);
    if (length > kept) chunks = [];
    else chunks.push(chunk);
  }
  const bytes = length > kept ? undefined : joined(chunks, length);
  return { bytes, digest: hash.digest('hex') };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
