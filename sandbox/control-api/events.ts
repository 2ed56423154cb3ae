import { unref } from '#sandbox-runtime';
import { createProblem } from '../http/responses.js';
import type { ChangedRecords, Changes } from '../state/changes.js';

/** Forgotten listeners must not fill the memory. */
export const maxListeners = 64;

/** Real milliseconds during which changes are combined into one event. */
const batchTime = 50;

/** Real milliseconds between two comments, which let both sides notice a lost connection. */
const heartbeat = 15_000;

export class ChangeEvents {
  readonly #changes: Changes;
  readonly #closing: AbortSignal;
  #listeners = 0;

  constructor(changes: Changes, closing: AbortSignal) {
    this.#changes = changes;
    this.#closing = closing;
  }

  listen(): Response {
    if (this.#listeners >= maxListeners) {
      return createProblem(
        503,
        'too_many_listeners',
        `${maxListeners} listeners are connected already. Close one of them.`,
      );
    }
    return new Response(this.#stream(), { headers: { 'content-type': 'text/event-stream' } });
  }

  #stream(): ReadableStream<Uint8Array> {
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
        const unsubscribe = this.#changes.subscribe((kind) => {
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
          this.#listeners -= 1;
          unsubscribe();
          clearTimeout(timer);
          clearInterval(beat);
          this.#closing.removeEventListener('abort', close);
          end = () => undefined;
        };
        this.#listeners += 1;
        this.#closing.addEventListener('abort', close);
        // A first message, because a response's headers are only sent with its first bytes.
        send('retry: 1000\n\n');
      },
      cancel: () => end(),
    });
  }
}
