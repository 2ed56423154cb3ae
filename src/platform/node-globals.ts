import { runInThisContext } from 'node:vm';

const names = [
  'TextDecoder',
  'TextEncoder',
  'ReadableStream',
  'structuredClone',
  'fetch',
  'Request',
  'Response',
] as const;

/** Defines the globals that jsdom hides, except those that a test's setup file has defined. */
export function defineHiddenGlobals(): void {
  const { URL, crypto: present } = globalThis;
  // A comparison with Node's own realm would be shorter, but takes a third of a millisecond at each start.
  if (names.every((name) => name in globalThis) && present?.subtle !== undefined && 'canParse' in URL) return;
  const node: typeof globalThis = runInThisContext('globalThis');
  const { fetch, Request, AbortController, AbortSignal, crypto } = node;

  const isOfNode = (signal: object): boolean => signal instanceof AbortSignal;

  /** Replaces a signal of jsdom, which Node 22 and later reject, by one that aborts with it. */
  function withNodeSignal(init: RequestInit = {}): RequestInit {
    const { signal } = init;
    if (!signal || isOfNode(signal)) return init;
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return { ...init, signal: controller.signal };
  }

  const replaced: Partial<Record<string, unknown>> = {
    fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, withNodeSignal(init)),
    Request: class extends Request {
      constructor(input: string | URL | Request, init?: RequestInit) {
        super(input, withNodeSignal(init));
      }
    },
  };
  for (const name of names) define(globalThis, name, replaced[name] ?? node[name]);
  defineOlderMembers();
  // jsdom's crypto has only random numbers, and since jsdom 22 UUIDs.
  define(globalThis, 'crypto', crypto);
  define(globalThis.crypto, 'subtle', crypto.subtle);
  define(globalThis.crypto, 'randomUUID', () => crypto.randomUUID());
}

/** Defines members that the classes of jsdom 20 lack, which Jest 29 uses. */
function defineOlderMembers(): void {
  const { URL, AbortSignal } = globalThis;
  define(URL, 'canParse', (url: string) => {
    try {
      return Boolean(new URL(url));
    } catch {
      return false;
    }
  });
  define(AbortSignal.prototype, 'throwIfAborted', function (this: AbortSignal) {
    if (this.aborted) throw this.reason ?? new DOMException('This operation was aborted', 'AbortError');
  });
}

function define(target: object, name: string, value: unknown): void {
  if (name in target) return;
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}
