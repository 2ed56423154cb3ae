import { errorOrCauseCode, reasonBeforeSending, withHint } from '#platform';
import { FileProblem } from '../../platform/file-content.js';
import type { Deadline } from '../call/deadline.js';
import { type FetchBody, isRejectedRedirect, makeFetchBody, requestStreams } from '../upload/fetch-upload.js';
import type { Form } from '../upload/form.js';
import { decodeBody } from './content-codings.js';
import { FetchHead, readBody } from './fetch-response.js';
import {
  type Fetch,
  type HttpClient,
  HttpClientError,
  type HttpRequest,
  type HttpResponse,
  type ResponseHead,
  unsendableFailure,
  unsentFailure,
} from './http-client.js';
import { ky } from './ky.js';

const rejectedRedirect: ResponseHead = { status: 302, header: () => undefined, headers: () => ({}) };

/**
 * Only an error of the runtime's own fetch can prove that no connection was made. The same error of another
 * fetch can come from a step after the request was sent.
 */
function toHttpClientError(error: unknown, isOwn: boolean): HttpClientError {
  if (isRejectedRedirect(error))
    return new HttpClientError('unreadable', 'the response is a redirect', true, {
      head: rejectedRedirect,
      cause: error,
    });
  const reason = isOwn ? reasonBeforeSending(error) : undefined;
  if (reason !== undefined) return unsentFailure(reason, error);
  const what = `connection lost before the response${withHint(errorOrCauseCode(error))}`;
  return new HttpClientError('broken', what, true, { cause: error });
}

/** Another fetch can send `String(stream)` instead of a stream, as node-fetch does. */
const isRuntimes = (fetch: Fetch) => fetch === globalThis.fetch || fetch === runtimeFetch;

/** The property is read at each call, because tests and instrumentation replace it. */
export const runtimeFetch: Fetch = (input, init) => globalThis.fetch(input, init);

const fileFailure = ({ message, permanent }: FileProblem, sent: boolean) =>
  new HttpClientError('file', `the upload failed, because ${message}`, sent, { permanent });

async function bodyBeforeSending(form: Form, deadline: Deadline, fetch: Fetch): Promise<FetchBody> {
  try {
    return await makeFetchBody(form, deadline, isRuntimes(fetch) ? requestStreams() : undefined);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw unsendableFailure(error);
    if (deadline.remainingMs === 0) throw new HttpClientError('interrupted', 'interrupted', false);
    throw fileFailure(error, false);
  }
}

/** Checks a result of `fetch` that can be of any library, or a mock's. */
const isResponse = (value: unknown): value is Response =>
  typeof (value as Partial<Response> | null | undefined)?.status === 'number';

/**
 * The retries, timeout and error throwing of ky are disabled, because the transport has one policy for both
 * HTTP clients. fetch receives the URL and `init` from this function, because ky would drop a header whose
 * value is the string `undefined`.
 */
export function createKyClient(baseUrl: URL, fetch: Fetch): HttpClient {
  const kyOptions = { retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' } as const;
  const base = baseUrl.origin + baseUrl.pathname.replace(/\/$/, '');

  function send(
    { method, target, headers, body: content }: HttpRequest,
    deadline: Deadline,
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      let cancelBody = () => {};
      let form: FetchBody | undefined;
      let settled = false;
      /** Whether fetch was called. Before that, nothing can have been sent. */
      let sent = false;
      const settle = () => {
        const first = !settled;
        if (first) deadline.interrupt = undefined;
        form?.release();
        settled = true;
        return first;
      };
      const cancel = () => {
        controller.abort();
        cancelBody();
      };
      const interrupt = () => {
        settle();
        reject(new HttpClientError('interrupted', 'interrupted', sent));
        // Cancelling is slow, so it runs later. If many calls end at the same time, all of them reject before
        // the first cancellation.
        setTimeout(cancel, 0);
      };
      deadline.interrupt = interrupt;
      const exchange = async () => {
        if (typeof content === 'object') form = await bodyBeforeSending(content, deadline, fetch);
        if (settled) {
          form?.release();
          throw new HttpClientError('interrupted', 'interrupted', false);
        }
        const text = typeof content === 'string' ? content : undefined;
        const init: RequestInit & { duplex?: 'half' } = {
          method,
          headers: Object.entries(form === undefined ? headers : { ...headers, ...form.headers }),
          redirect: 'manual',
          signal: controller.signal,
          ...(text !== undefined && { body: text }),
          ...form?.init,
        };
        const fetchOnce = async () => {
          if (sent) throw new Error('ky asked for a second request');
          sent = true;
          const response: unknown = await fetch(base + target, init);
          if (isResponse(response)) return response;
          throw new HttpClientError('unreadable', 'the option fetch did not return a Response', true, {
            permanent: true,
          });
        };
        const response = await ky(base + target, { ...kyOptions, method, fetch: fetchOnce });
        form?.sent();
        const head = new FetchHead(response);
        const bytes = await readBody(response, head, (cancel) => {
          cancelBody = cancel;
          if (settled) cancel();
        });
        const encoding = head.header('content-encoding');
        if (encoding === undefined) return { head, body: bytes, codingProblem: undefined };
        return await decodeBody(bytes, encoding, head, true);
      };
      exchange()
        .then(
          (response) => {
            if (settle()) resolve(response);
          },
          (error: unknown) => {
            if (!settle()) return;
            const problem = form?.problem();
            if (problem !== undefined) return reject(fileFailure(problem, sent));
            if (error instanceof HttpClientError) return reject(error);
            reject(sent ? toHttpClientError(error, isRuntimes(fetch)) : unsendableFailure(error));
          },
        )
        // A getter of the thrown value can throw. The call must not wait for ever.
        .catch(reject);
    });
  }

  return { name: 'ky', send, dropIdle: () => undefined, close: () => undefined };
}
