import { rawBody } from '../raw-body.js';
import type { IncomingDelivery } from '../receiver/types.js';

/** What is used of a request of node:http, and of what frameworks add to it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  on(event: string, listener: (told?: unknown) => void): unknown;
  off(event: string, listener: (told?: unknown) => void): unknown;
  resume(): unknown;
  destroy(): unknown;
  /** Whether the whole message arrived. */
  readonly complete?: boolean;
  readonly destroyed?: boolean;
  readonly readableEnded?: boolean;
  readonly readableDidRead?: boolean;
}

/** How long a body that nobody wants may go on, in milliseconds: ending the connection at once could lose the answer. */
const drainTimeout = 1000;

/**
 * The body of a request: the raw one that a framework kept, else its stream, else what a parser left of it.
 *
 * @param parsed where a framework has `rawBody` and `body`: the request, for most.
 */
export function nodeBody(request: NodeRequest, parsed: object): IncomingDelivery['body'] {
  const { rawBody: kept } = parsed as { rawBody?: unknown };
  if (rawBody(kept) !== undefined) return kept as Uint8Array;
  if (request.readableDidRead !== true && request.readableEnded !== true) return chunksOf(request);
  return (parsed as { body: Uint8Array }).body;
}

/** The chunks of a request, as they arrive. A stream that somebody has read would never end: it is not given here. */
function chunksOf(request: NodeRequest): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks: Uint8Array[] = [];
      let failure: Error | undefined;
      let isOver = false;
      let wake = () => {};
      const end = (error?: Error) => {
        isOver = true;
        failure ??= error;
        wake();
      };
      const listeners: Readonly<Record<string, (told?: unknown) => void>> = {
        data: (chunk) => {
          chunks.push(chunk as Uint8Array);
          wake();
        },
        end: () => end(),
        error: (error) => end(error as Error),
        // After `end` it says nothing new.
        close: () => isOver || end(new Error('the connection was closed')),
      };
      for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
      if (request.destroyed === true) end(new Error('the connection was closed'));
      const stop = () => {
        for (const [event, listener] of Object.entries(listeners))
          if (event !== 'error') request.off(event, listener);
        request.resume();
      };
      return {
        async next() {
          if (chunks.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
          const value = chunks.shift();
          if (value !== undefined) return { done: false, value };
          stop();
          if (failure !== undefined) throw failure;
          return { done: true, value };
        },
        async return() {
          end();
          stop();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Lets a refused body pass by for a moment after the answer, and then ends the connection. */
export function drain(request: NodeRequest): void {
  if (request.complete !== false) return;
  request.resume();
  const timer: { unref?(): void } = setTimeout(() => {
    if (request.complete !== true) request.destroy();
  }, drainTimeout) as never;
  timer.unref?.();
}
