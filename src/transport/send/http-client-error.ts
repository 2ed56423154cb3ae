import { HttpClientError, maxBodyBytes, type ResponseHead } from './http-client.js';

/** Creates the failure for a request that was not sent, for the reason that the runtime gave. */
export function unsentFailure(
  { kind, message }: { readonly kind: 'certificate' | 'connect' | 'proxy'; readonly message: string },
  cause?: unknown,
): HttpClientError {
  return new HttpClientError(kind, message, false, { cause });
}

/**
 * Creates the failure for a request that could not be built. Nothing was sent, and a retry would fail in the
 * same way.
 */
export function unsendableFailure(cause: unknown): HttpClientError {
  return new HttpClientError('unsendable', 'the request could not be made', false, { cause });
}

export function tooLargeFailure(head: ResponseHead): HttpClientError {
  return new HttpClientError('too-large', `the response is larger than ${maxBodyBytes} bytes`, true, {
    head,
  });
}
