import { sha256Hash } from '#sandbox-runtime';
import { largestText } from '../defaults/requests.js';
import { joinBytes, toHex } from '../runtime/bytes.js';
import { contentTypes } from './request-body.js';

export interface Received {
  /** Undefined if the body exceeds the limit for keeping bytes. */
  readonly bytes: Uint8Array | undefined;
  /** Of the whole body, in hexadecimal. */
  readonly digest: string;
}

/** In bytes. */
export interface BodyLimits {
  /** A longer body is rejected. */
  readonly most: number;
  /**
   * A longer body is read but not kept, because some callers read the response only after they have sent
   * everything.
   */
  readonly kept: number;
}

/**
 * Without valid credentials, a form up to `maxBody` is not rejected for its size, so that its caller gets the 401.
 *
 * @param isKnown whether the credentials are valid
 */
export function computeBodyLimits(headers: Headers, isKnown: boolean, maxBody: number): BodyLimits {
  const small = Math.min(maxBody, largestText);
  const most = mediaType(headers) === contentTypes.multipart ? maxBody : small;
  return { most, kept: isKnown ? most : small };
}

/** Without parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Stops as soon as the body exceeds the limit. */
export async function receive(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  { most, kept }: BodyLimits,
): Promise<Received | 'too-large'> {
  if (Number(headers.get('content-length')) > most) return 'too-large';
  const hash = sha256Hash();
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) return 'too-large';
    hash.update(chunk);
    if (length > kept) chunks = [];
    else chunks.push(chunk);
  }
  const bytes = length > kept ? undefined : joinBytes(chunks);
  return { bytes, digest: toHex(hash.digest()) };
}
