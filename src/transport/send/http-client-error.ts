import { HttpClientError, maxBodyBytes, type ResponseHead } from './http-client.js';

export function unsentFailure(
  { kind, message }: { readonly kind: 'certificate' | 'connect' | 'proxy'; readonly message: string },
  cause?: unknown,
): HttpClientError {
  return new HttpClientError(kind, message, false, { cause });
}

export function unsendableFailure(cause: unknown): HttpClientError {
  return new HttpClientError('unsendable', 'the request could not be made', false, { cause });
}

export function tooLargeFailure(head: ResponseHead): HttpClientError {
  return new HttpClientError('too-large', `the response is larger than ${maxBodyBytes} bytes`, true, {
    head,
  });
}
