import type { Options } from 'ky';
import type { Deadline } from '../deadline.js';
import { notify } from '../report/hooks.js';
import { FileProblem, pieces } from '../upload/file-content.js';
import type { Form } from '../upload/form.js';
import { type EncodedForm, encodeForm } from '../upload/native-form.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse, type Fetch } from './engine.js';
import { deepCodeOf, failureBeforeSending, inBrackets, unsendable } from './engine-failures.js';
import { FetchHead, readBody } from './fetch-response.js';

/** What a rejected fetch means: where the runtime tells (Node does), whether the connection was ever made. */
function failureOf(error: unknown): EngineFailure {
  const early = failureBeforeSending(error);
  if (early !== undefined) return new EngineFailure(early.kind, early.message, false, { cause: error });
  const what = `the connection broke before the answer${inBrackets(deepCodeOf(error))}`;
  return new EngineFailure('broken', what, true, { cause: error });
}

/** Bytes in pieces, each when it is asked for; `onSent` is told how many were. */
function streamOf(bytes: Uint8Array, onSent: (sent: number) => void): ReadableStream<Uint8Array> {
  const rest = pieces(bytes)[Symbol.iterator]();
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      const { done, value } = rest.next();
      if (done) return controller.close();
      controller.enqueue(value);
      sent += value.length;
      onSent(sent);
    },
  });
}

/** Whether this runtime's fetch takes a body as a stream: then it tells how far an upload is. Bun and Deno do not ask for `duplex`. */
function streamsRequests(): boolean {
  let asked = false;
  const body = new ReadableStream();
  const init = {
    method: 'POST',
    body,
    get duplex(): 'half' {
      asked = true;
      return 'half';
    },
  };
  try {
    const isText = new Request('https://platform.example', init).headers.has('content-type');
    return asked && !isText;
  } catch {
    return false;
  }
}

/** A form is read and encoded before anything is sent: what fails here has sent nothing. */
async function encoded(form: Form, deadline: Deadline): Promise<EncodedForm> {
  try {
    return await encodeForm(form, deadline);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw unsendable(error);
    if (deadline.remaining === 0) throw new EngineFailure('interrupted', 'interrupted', false);
    throw new EngineFailure('file', `the upload failed: ${error.message}`, false, { final: error.final });
  }
}

/** An object on which nothing is found that was not put there, whatever somebody did to `Object.prototype`. */
const bare = <Value extends object>(value: Value): Value => Object.assign(Object.create(null), value);

/**
 * ky over any fetch. Its own retry, timeout and error throwing are off: the transport has one policy for
 * both engines. What is sent goes past ky, which drops a header whose value is the text `undefined`, and
 * takes a `prefixUrl` from wherever it finds one: fetch gets the address, and an `init` that is ours.
 */
export async function createKyEngine(baseUrl: URL, fetch: Fetch): Promise<Engine> {
  // Imported here because ky is ESM only, and this file is also built as CommonJS.
  const { default: ky } = await import('ky');
  // Named although most are off, so that none of them is found on a prototype that somebody has changed.
  const kyOptions: object = bare({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
    prefixUrl: '',
    headers: {},
    body: undefined,
    json: undefined,
    searchParams: undefined,
    signal: undefined,
    onUploadProgress: undefined,
    onDownloadProgress: undefined,
  });
  const base = baseUrl.origin + baseUrl.pathname.replace(/\/$/, '');

  function send(
    { method, target, headers, body: content }: EngineRequest,
    deadline: Deadline,
  ): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      let cancelBody = () => {};
      let settled = false;
      /** Set just before fetch is called: until then nothing can have left. */
      let sent = false;
      const settle = () => {
        const first = !settled;
        if (first) deadline.interrupt = undefined;
        settled = true;
        return first;
      };
      const letGo = () => {
        controller.abort();
        cancelBody();
      };
      const interrupt = () => {
        settle();
        reject(new EngineFailure('interrupted', 'interrupted', sent));
        // Later, because it costs more than the rest: where many calls end at once, each is told first.
        setTimeout(letGo, 0);
      };
      deadline.interrupt = interrupt;
      const exchange = async () => {
        const form = typeof content === 'object' ? await encoded(content, deadline) : undefined;
        if (settled) throw new EngineFailure('interrupted', 'interrupted', false);
        const onProgress = typeof content === 'object' ? content.onProgress : undefined;
        const total = form?.bytes.length;
        const tell = (sent: number) => notify(onProgress, () => ({ sent, total }));
        const followed = form !== undefined && onProgress !== undefined && streamsRequests();
        const text = content as string | undefined;
        const init: RequestInit & { duplex?: 'half' } = bare({
          method,
          headers: Object.entries(
            form === undefined ? headers : { ...headers, 'content-type': form.contentType },
          ),
          redirect: 'manual',
          signal: controller.signal,
          ...(form === undefined ? text !== undefined && { body: text } : { body: form.bytes }),
          ...(followed && { body: streamOf(form.bytes, tell), duplex: 'half' }),
        });
        const once = () => {
          if (sent) throw new Error('ky asked for a second request');
          sent = true;
          return fetch(base + target, init);
        };
        const options: Options = bare({ ...kyOptions, method, fetch: once });
        const response = await ky(base + target, options);
        if (!followed && total !== undefined) tell(total);
        const bytes = await readBody(response, (cancel) => {
          cancelBody = cancel;
          if (settled) cancel();
        });
        return { head: new FetchHead(response), body: bytes };
      };
      exchange().then(
        (response) => {
          if (settle()) resolve(response);
        },
        (error: unknown) => {
          if (!settle()) return;
          if (error instanceof EngineFailure) return reject(error);
          reject(sent ? failureOf(error) : unsendable(error));
        },
      );
    });
  }

  return { name: 'ky', send, close: () => undefined };
}
