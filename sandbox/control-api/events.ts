import { unref } from '#sandbox-runtime';
import { createProblem } from '../http/responses.js';
import type { ChangedRecords, Changes } from '../state/changes.js';

/** Forgotten listeners must not fill the memory. */
export const maxListeners = 64;

/** Real milliseconds during which changes are combined into one event. */
const batchTime = 50;

/** Real milliseconds between two comments, which let both sides notice a lost connection. */
const heartbeat = 15_000;

/** @returns the response to each listener: a stream of changes */
export function createFeed(changes: Changes, closing: AbortSignal): () => Response {
  let listeners = 0;
  const createStream = () => {
    const encoder = new TextEncoder();
    const kinds = new Set<ChangedRecords>();
    let timer: NodeJS.Timeout | undefined;
    let end: () => void = () => undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const flush = () => {
          timer = undefined;
          // A slow listener later gets one event for all the changes that it missed.
          if (kinds.size === 0 || (controller.desiredSize ?? 0) <= 0) return;
          const data = JSON.stringify({ kinds: [...kinds] });
          kinds.clear();
          send(`event: change\ndata: ${data}\n\n`);
        };
        const unsubscribe = changes.subscribe((kind) => {
          kinds.add(kind);
          timer ??= setTimeout(flush, batchTime);
        });
        const beat = setInterval(() => {
          if (kinds.size > 0) flush();
          else if ((controller.desiredSize ?? 0) > 0) send(': still here\n\n');
        }, heartbeat);
        unref(beat);
        const close = () => {
          end();
          controller.close();
        };
        end = () => {
          listeners -= 1;
          unsubscribe();
          clearTimeout(timer);
          clearInterval(beat);
          closing.removeEventListener('abort', close);
          end = () => undefined;
        };
        listeners += 1;
        closing.addEventListener('abort', close);
        // A first message, because a response's headers are only sent with its first bytes.
        send('retry: 1000\n\n');
      },
      cancel: () => end(),
    });
  };
  return () =>
    listeners < maxListeners
      ? new Response(createStream(), { headers: { 'content-type': 'text/event-stream' } })
      : createProblem(
          503,
          'too_many_listeners',
          `${maxListeners} listeners are connected already. Close one of them.`,
        );
}
