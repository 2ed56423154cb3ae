import { undoCodings } from '#platform';
import { HttpClientError, type HttpResponse, maxBodyBytes, type ResponseHead } from './http-client.js';
import { tooLargeFailure } from './http-client-error.js';

/**
 * Decodes a response's body by its Content-Encoding.
 *
 * @param isFetched whether fetch has read the body
 * @throws HttpClientError if the body cannot be decoded, or is larger than the limit
 */
export async function decodeBody(
  body: Uint8Array,
  header: string,
  head: ResponseHead,
  isFetched: boolean,
): Promise<HttpResponse> {
  const decoded = await undoCodings(body, header, maxBodyBytes, isFetched);
  if (decoded === 'too-large') throw tooLargeFailure(head);
  if (decoded === 'unreadable')
    throw new HttpClientError('unreadable', 'the response cannot be decompressed', true, { head });
  return { head, ...decoded };
}
