import type { Progress } from 'ky';
import type { Deadline } from './deadline.js';
import {
  type Engine,
  EngineFailure,
  type EngineRequest,
  type EngineResponse,
  type Fetch,
  largestBody,
  type ResponseHead,
} from './engine.js';
import { codeOf, inBrackets, isBeforeTheRequest, tooLarge, unsent } from './failures.js';
import { notify } from './hooks.js';
import { FileProblem, joined, pieces } from './upload/file-content.js';
import type { Form } from './upload/form.js';
import { type EncodedForm, encodeForm } from './upload/native-form.js';

class FetchHead implements ResponseHead {
  readonly status: number;
  readonly #headers: Headers;

  constructor(response: Response) {
    this.status = statusOf(response);
    this.#headers = response.headers;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  headers(): Record<string, string> {
    return Object.fromEntries(this.#headers);
  }
}

/** A runtime that hides redirects answers 0 for them. */
function statusOf(response: Response): number {
  return response.type === 'opaqueredirect' ? 302 : response.status;
}

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What a rejected fetch means: where the runtime tells (Node does), whether the connection was ever made. */
function failureOf(error: unknown): EngineFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  const connecting = cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect';
  if (connecting || unsentCodes.has(code) || isBeforeTheRequest(code)) return unsent(code, error);
  return new EngineFailure('broken', `the connection broke before the answer${inBrackets(code)}`, true, {
    cause: error,
  });
}

/** Bytes in pieces, each when it is asked for. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const rest = pieces(bytes)[Symbol.iterator]();
  return new ReadableStream({
    pull: (controller) => {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
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

async function encoded(form: Form, deadline: Deadline): Promise<EncodedForm> {
  try {
    return await encodeForm(form, deadline);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (deadline.remaining === 0) throw new EngineFailure('interrupted', 'interrupted', false);
    throw new EngineFailure('file', `the upload failed: ${error.message}`, false, { final: error.final });
  }
}

/** Reads a body up to the limit, with its own hold on the stream: not every `fetch` honours the signal. */
async function readBody(
  response: Response,
  onReader: (reader: ReadableStreamDefaultReader<Uint8Array>) => void,
): Promise<Uint8Array> {
  const status = statusOf(response);
  if (response.body === null) return new Uint8Array();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  onReader(reader);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new EngineFailure('unreadable', 'the answer broke off, or cannot be decompressed', true, {
        status,
        cause,
      });
    });
    if (done) break;
    size += value.byteLength;
    if (size > largestBody) {
      reader.cancel().catch(() => undefined);
      throw tooLarge(status);
    }
    chunks.push(value);
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  return joined(chunks);
}

/** ky over any fetch. Its own retry, timeout and error throwing are off: the transport has one policy for both engines. */
export async function createKyEngine(baseUrl: URL, fetch: Fetch): Promise<Engine> {
  // Imported here because ky is ESM only, and this file is also built as CommonJS.
  const { default: ky } = await import('ky');
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
  });
  const base = baseUrl.origin + baseUrl.pathname.replace(/\/$/, '');

  function send(
    { method, target, headers, body: content }: EngineRequest,
    deadline: Deadline,
  ): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
      let settled = false;
      /** A form is read and encoded before anything is sent. */
      let sent = typeof content !== 'object';
      const settle = () => {
        const first = !settled;
        if (first) deadline.interrupt = undefined;
        settled = true;
        return first;
      };
      const interrupt = () => {
        settle();
        reject(new EngineFailure('interrupted', 'interrupted', sent));
        controller.abort();
        reader?.cancel().catch(() => undefined);
      };
      deadline.interrupt = interrupt;
      const exchange = async () => {
        const form = typeof content === 'object' ? await encoded(content, deadline) : undefined;
        if (settled) throw new EngineFailure('interrupted', 'interrupted', false);
        sent = true;
        const onProgress = typeof content === 'object' ? content.onProgress : undefined;
        const total = form?.bytes.length;
        const tell = (sent: number) => notify(onProgress, () => ({ sent, total }));
        const followed = form !== undefined && onProgress !== undefined && streamsRequests();
        const body = followed ? streamOf(form.bytes) : (form?.bytes ?? (content as string | undefined));
        const response = await client(base + target, {
          method,
          headers: form === undefined ? headers : { ...headers, 'content-type': form.contentType },
          // The signal goes past ky, which would combine it with AbortSignal.any: Node has that since 20.3 only.
          fetch: (input, init) => fetch(input, { ...init, signal: controller.signal }),
          ...(body === undefined ? {} : { body }),
          ...(followed
            ? { onUploadProgress: ({ transferredBytes }: Progress) => tell(transferredBytes) }
            : {}),
        });
        if (!followed && total !== undefined) tell(total);
        const bytes = await readBody(response, (opened) => {
          reader = opened;
          if (settled) opened.cancel().catch(() => undefined);
        });
        return { head: new FetchHead(response), body: bytes };
      };
      exchange().then(
        (response) => {
          if (settle()) resolve(response);
        },
        (error: unknown) => {
          if (settle()) reject(error instanceof EngineFailure ? error : failureOf(error));
        },
      );
    });
  }

  return { name: 'ky', send, close: () => undefined };
}
