import type { SandboxFetch } from '../merchants/client-options.js';
import { readChunks } from '../runtime/bytes.js';
import { type Outcome, type PiecewiseResponse, pause } from './apply-fault.js';

const ownProcess = 'in process';

/** The signal aborts a request that has not been received yet. */
type RequestHandler = (
  request: Request,
  body: AsyncIterable<Uint8Array>,
  address: string,
  signal: AbortSignal,
) => Promise<Outcome>;

/** @param closing ends hanging requests */
export function inProcessFetch(handle: RequestHandler, closing: AbortSignal): SandboxFetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    // Prefers the caller's own signal. Node's Request only refers to it weakly, so garbage collection can end
    // the link.
    const signal = init?.signal ?? request.signal;
    const response = handle(request, readBody(request), ownProcess, signal).then((value) =>
      toResponse(value, signal, closing),
    );
    return unlessAborted(response, signal);
  };
}

async function* readBody(request: Request): AsyncGenerator<Uint8Array> {
  // Firefox lacks Request.body.
  if (request.body === undefined) yield new Uint8Array(await request.arrayBuffer());
  else if (request.body !== null) yield* readChunks(request.body, !isForm(request));
}

/** A form's body is never cancelled, because Node 24 would reject a promise that no code can catch. */
const isForm = ({ headers }: Request) => headers.get('content-type')?.startsWith('multipart/') ?? false;

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** With the properties that Node's fetch sets, so that callers can classify the error. */
function lost(message: string, cause: string, details: object): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(cause), details) });
}

const reset = (message: string) =>
  lost(message, 'read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' });

const closed = (message: string) => lost(message, 'other side closed', { code: 'UND_ERR_SOCKET' });

/** A hanging request ends when a signal aborts. */
async function toResponse(outcome: Outcome, ...signals: AbortSignal[]): Promise<Response> {
  switch (outcome.kind) {
    case 'response':
      return outcome.response;
    case 'piecewise':
      return streamed(outcome, signals);
    case 'reset':
      throw reset('fetch failed');
    case 'hang':
      await pause(Number.POSITIVE_INFINITY, ...signals).catch(() => undefined);
      throw closed('fetch failed');
  }
}

/** Fails with the errors of Node's fetch. */
function streamed({ response, pieces, end }: PiecewiseResponse, signals: readonly AbortSignal[]): Response {
  const left = [...pieces];
  const cancelled = new AbortController();
  const wait = (time: number) => pause(time, cancelled.signal, ...signals);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        for (let piece = left.shift(); piece !== undefined; piece = left.shift()) {
          if (piece.after > 0) await wait(piece.after);
          if (piece.bytes.length > 0) return controller.enqueue(piece.bytes);
        }
        if (end === 'complete') return controller.close();
        if (end === 'hang') await wait(Number.POSITIVE_INFINITY);
        throw end === 'reset' ? reset('terminated') : closed('terminated');
      },
      cancel: () => cancelled.abort(),
    },
    // An error discards unread chunks. Without a queue, the error comes only after the reader has read them.
    { highWaterMark: end === 'complete' ? pieces.length : 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
