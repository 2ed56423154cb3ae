import { longestTimer } from '../time/duration.js';
import { faultResponse } from './fault-answer.js';
import type { PendingFault } from './faults.js';

/** An answer, independent of whether it is sent over HTTP or in process. */
export type Answer =
  | { readonly kind: 'response'; readonly response: Response }
  /** The head and half of the body, then the connection is lost. */
  | { readonly kind: 'truncate'; readonly response: Response }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

/** The answer after a fault was applied. */
export function spoil({ fault }: Readonly<PendingFault>, response: Response): Answer {
  if (typeof fault === 'object') return { kind: 'response', response: faultResponse(fault) };
  switch (fault) {
    case 'reset':
    case 'hang':
      return { kind: fault };
    case 'truncate':
      return { kind: 'truncate', response };
    case 'garbage':
      return page('<!doctype html><title>Welcome</title><h1>It works!</h1>', 'text/html; charset=utf-8');
    case 'invalid-json':
      return page('{"id":"3f0c', 'application/json');
    case 'empty':
      return { kind: 'response', response: new Response(null, { status: 200 }) };
    case 'acquirer-unknown':
      return { kind: 'response', response };
  }
}

function page(body: string, type: string): Answer {
  return { kind: 'response', response: new Response(body, { headers: { 'content-type': type } }) };
}

/** The head of an answer and the first half of its body. */
export async function firstHalf(
  response: Response,
): Promise<{ headers: Headers; half: Uint8Array<ArrayBuffer> }> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set('content-length', String(bytes.length));
  return { headers, half: bytes.slice(0, bytes.length / 2) };
}

/** An error with the properties that Node's fetch sets, so that callers can classify it. */
function lost(message: string, cause: string, details: object): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(cause), details) });
}

/** An answer as `fetch` returns it. A hanging request ends when a signal aborts. */
export async function inProcess(answer: Answer, ...signals: AbortSignal[]): Promise<Response> {
  switch (answer.kind) {
    case 'response':
      return answer.response;
    case 'truncate':
      return broken(answer.response);
    case 'reset':
      throw lost('fetch failed', 'read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' });
    case 'hang':
      await pause(Number.POSITIVE_INFINITY, ...signals).catch(() => undefined);
      throw lost('fetch failed', 'other side closed', { code: 'UND_ERR_SOCKET' });
  }
}

async function broken(response: Response): Promise<Response> {
  const { headers, half } = await firstHalf(response);
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(half),
    // Called after the first half was read.
    pull: (controller) =>
      controller.error(lost('terminated', 'other side closed', { code: 'UND_ERR_SOCKET' })),
  });
  return new Response(body, { status: response.status, headers });
}

/** Waits in real time; rejects with the reason of a signal that ends the wait. */
export function pause(time: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', aborted);
      settle();
    };
    const aborted = () => end(() => reject(signals.find((signal) => signal.aborted)?.reason));
    const timer = time > longestTimer ? undefined : setTimeout(() => end(resolve), time);
    for (const signal of signals) signal.addEventListener('abort', aborted);
    if (signals.some((signal) => signal.aborted)) aborted();
  });
}
