import { concatBytes, FileProblem } from '../../platform/file-content.js';
import { isError, isErrorNamed } from '../../validation/builtins.js';
import type { Deadline } from '../call/deadline.js';
import { notify } from '../call/hooks.js';
import type { Form } from './form.js';

/** The maximum bytes of a form that is buffered although fetch can stream, unless progress is reported. */
const alwaysBuffered = 1024 * 1024;

/** For a fetch that cannot send a stream. */
const maxBuffered = 64 * 1024 * 1024;

/** Without a pause, a source that always has a chunk ready would prevent timers from firing. */
const pauseMs = 20;

export interface FetchBody {
  readonly init: RequestInit & Partial<StreamInit>;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: () => FileProblem | undefined;
  /** The caller must call this when the request has ended. */
  readonly release: () => void;
  readonly sent: () => void;
}

/** `streams` makes this fetch send a stream; undefined if it cannot. */
export async function makeFetchBody(
  form: Form,
  deadline: Deadline,
  streams: StreamInit | undefined,
): Promise<FetchBody> {
  const total = formLength(form);
  const reader = new FormReader(form, deadline, total);
  const isLong = (total ?? maxBuffered) > alwaysBuffered;
  // A short form is read first. Its length is then known, and an unreadable file is found before anything is
  // sent.
  const readsFirst = form.onProgress === undefined && (total === undefined || !isLong);
  try {
    if (streams === undefined && total !== undefined && total > maxBuffered) throw tooLarge();
    const isWhole = await reader.readAhead(
      streams === undefined ? maxBuffered : readsFirst ? alwaysBuffered : 0,
    );
    if (!isWhole && streams === undefined) throw tooLarge();
    const body = isWhole || streams === undefined ? reader.buffered() : reader.streamed(streams);
    return { ...body, headers: buildFormHeaders(form, total, isWhole), release: () => reader.stop() };
  } catch (error) {
    reader.stop();
    throw error;
  }
}

const noop = () => undefined;

/** Some runtimes honour `content-length` for a stream, and then do not send the body in chunks. */
const buildFormHeaders = (
  { boundary }: Form,
  total: number | undefined,
  isWhole: boolean,
): Record<string, string> => ({
  'content-type': `multipart/form-data; boundary=${boundary}`,
  ...(total !== undefined && !isWhole && { 'content-length': String(total) }),
});

const tooLarge = () =>
  new FileProblem(
    `the form is longer than ${maxBuffered} bytes, and this fetch cannot stream. In Node, leave out the option fetch`,
    true,
  );

class FormReader {
  readonly #bytes: AsyncGenerator<Uint8Array<ArrayBuffer>, void>;
  readonly #report: (sent: number) => void;
  readonly #deadline: Deadline;
  readonly #total: number | undefined;
  #ahead: Uint8Array<ArrayBuffer>[] = [];
  #rested = performance.now();
  #sent = 0;
  #problem: FileProblem | undefined;

  constructor(form: Form, deadline: Deadline, total: number | undefined) {
    this.#bytes = formBytes(form);
    this.#deadline = deadline;
    this.#total = total;
    this.#report = (sent) => notify(form.onProgress, () => ({ sent, total }));
  }

  async readAhead(most: number): Promise<boolean> {
    let length = 0;
    while (length < most) {
      const chunk = await this.#read();
      if (chunk === undefined) return true;
      length += chunk.length;
      this.#ahead.push(chunk);
    }
    return false;
  }

  stop(): void {
    this.#bytes.return().catch(noop);
  }

  buffered(): Omit<FetchBody, 'headers' | 'release'> {
    const body = concatBytes(this.#ahead);
    this.#ahead = [];
    return { init: { body }, problem: noop, sent: () => this.#report(body.length) };
  }

  streamed(streams: StreamInit): Omit<FetchBody, 'headers' | 'release'> {
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const chunk = this.#ahead.shift() ?? (await this.#read());
        if (chunk === undefined) return controller.close();
        controller.enqueue(chunk);
        this.#sent += chunk.length;
        return this.#report(this.#sent);
      },
      cancel: () => this.stop(),
    });
    const init = { ...streams, body: withLength(stream, this.#total) };
    return { init, problem: () => this.#problem, sent: noop };
  }

  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (performance.now() - this.#rested > pauseMs) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#rested = performance.now();
    }
    try {
      if (this.#deadline.stopReason !== undefined)
        throw new FileProblem('the form was not read to its end', true);
      const { value } = await this.#bytes.next();
      return value ?? undefined;
    } catch (error) {
      if (error instanceof FileProblem) this.#problem = error;
      throw error;
    }
  }
}

/** Cloudflare Workers send Content-Length only for a FixedLengthStream. */
function withLength(
  stream: ReadableStream<Uint8Array>,
  length: number | undefined,
): ReadableStream<Uint8Array> {
  const { FixedLengthStream } = globalThis as {
    readonly FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>;
  };
  return FixedLengthStream === undefined || length === undefined
    ? stream
    : stream.pipeThrough(new FixedLengthStream(length));
}

const encode = (text: string) => new TextEncoder().encode(text);

/** The characters in names were checked when the form was read. */
function partHead(boundary: string, [name, content]: Form['parts'][number]): Uint8Array {
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  return encode(
    typeof content === 'string'
      ? `${disposition}\r\n\r\n`
      : `${disposition}; filename="${content.filename}"\r\ncontent-type: ${content.contentType}\r\n\r\n`,
  );
}

const closingBoundary = (boundary: string) => encode(`--${boundary}--\r\n`);
const lineBreak = Uint8Array.of(13, 10);

function formLength({ boundary, parts }: Form): number | undefined {
  let length = closingBoundary(boundary).length;
  for (const part of parts) {
    const [, content] = part;
    const size = typeof content === 'string' ? encode(content).length : content.size;
    if (size === undefined) return undefined;
    length += partHead(boundary, part).length + size + lineBreak.length;
  }
  return length;
}

/** RFC 7578. The bytes are the same for every attempt. */
async function* formBytes({ boundary, parts }: Form): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (const part of parts) {
    const [name, content] = part;
    yield partHead(boundary, part).slice();
    if (typeof content === 'string') yield encode(content);
    else {
      try {
        // The chunk is copied, because its memory is reused for the next chunk.
        for await (const chunk of content.read()) yield chunk.slice();
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        throw new FileProblem(`${name} ${error.message}`, error.permanent);
      }
    }
    yield lineBreak.slice();
  }
  yield closingBoundary(boundary).slice();
}

export type StreamInit = Pick<RequestInit, 'redirect' | 'window'> & { readonly duplex: 'half' };

/** Checks for a runtime whose fetch can stream a body although it never reads `duplex`. */
const streamsAnyway = () => 'Bun' in globalThis || 'Deno' in globalThis || 'FixedLengthStream' in globalThis;

const isBrowser = () => 'document' in globalThis || 'importScripts' in globalThis;

/** Browsers stream only over HTTP/2, so the options are undefined there. */
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
    // With these values, fetch neither follows a redirect nor retries. For both, it would keep a copy of the
    // whole body.
    return asked && !isText ? { duplex: 'half', redirect: 'error', window: null } : undefined;
  } catch {
    return undefined;
  }
}

/** Such a fetch returns no response. */
export function isRejectedRedirect(error: unknown): boolean {
  const { cause } = isErrorNamed(error, 'TypeError') ? error : {};
  return isError(cause) && cause.message === 'unexpected redirect';
}
