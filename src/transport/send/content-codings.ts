import { undoCodings } from '#platform';
import {
  HttpClientError,
  type HttpResponse,
  maxBodyBytes,
  type ResponseHead,
  tooLargeFailure,
} from './http-client.js';

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
