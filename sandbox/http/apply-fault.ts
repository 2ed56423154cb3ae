import { longestTimer } from '../../src/validation/time-limit.js';
import { faultResponse, isRaw } from '../faults/replacement-response.js';
import type { PendingFault } from '../faults/request-faults.js';
import { rememberJson } from './responses.js';

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Real milliseconds since the previous piece, or since the headers. */
  readonly after: number;
}

export interface PiecewiseResponse {
  readonly kind: 'piecewise';
  /** Without the body, which is in the pieces. */
  readonly response: Response;
  readonly pieces: readonly Piece[];
  /** The event after the last piece. */
  readonly end: 'complete' | 'reset' | 'close' | 'hang';
}

export type Outcome =
  | { readonly kind: 'response'; readonly response: Response }
  | PiecewiseResponse
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

/** The returned delay comes before the response, in addition to the delays of its pieces. */
export async function applyFault(
  { fault, phase, delay }: Readonly<PendingFault>,
  response: Response,
): Promise<{ outcome: Outcome; delay: number }> {
  if (phase === 'mid-response') return { outcome: await breakSecondHalf(fault, response, delay), delay: 0 };
  return { outcome: await replaceResponse(fault, response), delay };
}

async function replaceResponse(fault: PendingFault['fault'], response: Response): Promise<Outcome> {
  if (typeof fault === 'object') {
    if ('slow' in fault) return slowly(response, fault.slow as number);
    const { body } = fault;
    const replacement = faultResponse(fault);
    if (!isRaw(body)) rememberJson(replacement, { value: body, length: JSON.stringify(body).length });
    return { kind: 'response', response: replacement };
  }
  switch (fault) {
    case 'reset':
    case 'hang':
      return { kind: fault };
    case 'truncate': {
      const { first, length } = await halves(response);
      return cut(headed(response, length), first, 'close');
    }
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

async function breakSecondHalf(
  fault: PendingFault['fault'],
  response: Response,
  delay: number,
): Promise<Outcome> {
  const { first, second, length } = await halves(response);
  const nothing = { bytes: new Uint8Array(), after: delay };
  switch (fault) {
    case 'reset':
    case 'hang':
      return cut(headed(response, length), first, fault, nothing);
    case 'truncate':
      return cut(headed(response), first, 'close', nothing);
    case 'garbage':
      // UTF-8 never contains the byte 0xFF, so the body cannot be decoded.
      return cut(headed(response, length), first, 'complete', {
        bytes: second.fill(0xff),
        after: delay,
      });
    case 'invalid-json':
      return cut(headed(response, first.length), first, 'complete', nothing);
    default:
      throw new TypeError('The fault needs its own end in the middle of a response.');
  }
}

const cut = (
  response: Response,
  bytes: Piece['bytes'],
  end: PiecewiseResponse['end'],
  ...more: Piece[]
): PiecewiseResponse => ({ kind: 'piecewise', response, pieces: [{ bytes, after: 0 }, ...more], end });

/** Number of pieces of a slow response. */
const maxPieces = 10;

async function slowly(response: Response, time: number): Promise<Outcome> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const count = Math.max(1, Math.min(maxPieces, bytes.length));
  const edge = (index: number) => Math.floor((bytes.length * index) / count);
  const pieces = Array.from({ length: count }, (_, index) => ({
    bytes: bytes.slice(edge(index), edge(index + 1)),
    after: time / count,
  }));
  return { kind: 'piecewise', response: headed(response, bytes.length), pieces, end: 'complete' };
}

async function halves(response: Response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const middle = Math.floor(bytes.length / 2);
  return { first: bytes.slice(0, middle), second: bytes.slice(middle), length: bytes.length };
}

/** Without `length`, no Content-Length. */
function headed({ status, headers: original }: Response, length?: number): Response {
  const headers = new Headers(original);
  if (length === undefined) headers.delete('content-length');
  else headers.set('content-length', String(length));
  return new Response(null, { status, headers });
}

function page(body: string, type: string): Outcome {
  return { kind: 'response', response: new Response(body, { headers: { 'content-type': type } }) };
}

/** In real time. Rejects with the reason of a signal that ends the wait. */
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
