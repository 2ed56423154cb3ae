/** What fetch needs besides a stream to send it as it is read. */
export type StreamInit = Pick<RequestInit, 'redirect' | 'window'> & { readonly duplex: 'half' };

/** Runtimes whose fetch streams a body without reading `duplex`. */
const streamsAnyway = () => 'Bun' in globalThis || 'Deno' in globalThis || 'FixedLengthStream' in globalThis;

const isBrowser = () => 'document' in globalThis || 'importScripts' in globalThis;

/**
 * How this runtime's fetch sends a body as a stream; undefined if it does not. A browser does so only over
 * HTTP/2, so it counts as one that does not.
 */
export function requestStreams(): StreamInit | undefined {
  if (streamsAnyway()) return { duplex: 'half' };
  if (isBrowser()) return undefined;
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
    // To follow a redirect or to ask again, fetch keeps a copy of the whole body. It must do neither.
    return asked && !isText ? { duplex: 'half', redirect: 'error', window: null } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether fetch refused a redirect, which is then its error and no answer. */
export function redirectRefused(error: unknown): boolean {
  const { cause } = error instanceof TypeError ? error : {};
  return cause instanceof Error && cause.message === 'unexpected redirect';
}
