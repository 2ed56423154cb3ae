import type { Agent, IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from '../../src/options.js';
import type { Builtins } from './builtins.js';
import { findProxyEnv } from './proxy.js';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body. */
  readonly body: Uint8Array;
  /** Undefined if the client uses a `fetch`, which hides the version. */
  readonly httpVersion: string | undefined;
  /** Undefined if the client uses a `fetch`. */
  readonly isReused: boolean | undefined;
  /** Halfway between request and response, in milliseconds since 1970. */
  readonly time: number;
  /** In milliseconds, to the end of the response. */
  readonly duration: number;
}

interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

interface RawResponse extends Pick<Exchange, 'status' | 'headers' | 'httpVersion' | 'isReused'> {
  readonly bytes: Uint8Array;
}

type Route = Pick<ClientOptions, 'fetch' | 'agent'>;
type Fetch = NonNullable<Route['fetch']>;

/** In bytes. The responses to the doctor are far smaller. */
const maxBodyBytes = 2_000_000;

/** These headers belong to a connection instead of the message. */
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];

/**
 * A proxy on loopback between a client and the platform. If it drops a response, the platform executes the
 * request, but the client never sees the response.
 */
export class Tap {
  readonly exchanges: Exchange[] = [];
  /** The number of keep-alive connections that were closed during a request. */
  resets = 0;
  readonly #builtins: Builtins;
  readonly #target: URL;
  readonly #fetch: ClientOptions['fetch'];
  readonly #agent: Agent;
  readonly #ownsAgent: boolean;
  readonly #server: Server;
  #cutsNext = false;

  private constructor(builtins: Builtins, target: URL, { fetch, agent }: Route) {
    this.#builtins = builtins;
    this.#target = target;
    this.#fetch = fetch;
    this.#ownsAgent = agent === undefined;
    this.#agent = (agent as Agent | undefined) ?? this.#ownAgent();
    this.#server = builtins.http.createServer((request, response) => {
      this.#pass(request, response).catch(() => request.socket.destroy());
    });
  }

  static async open(builtins: Builtins, target: URL, route: Route): Promise<Tap> {
    const tap = new Tap(builtins, target, route);
    await new Promise<void>((resolve, reject) => {
      tap.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return tap;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#target.pathname.replace(/\/$/, '')}`;
  }

  /** Only the response to a write. The tap receives it completely, but does not pass it on. */
  cutNextResponse(): void {
    this.#cutsNext = true;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#ownsAgent) this.#agent.destroy();
  }

  /**
   * Opens one connection at a time, so that reuse is visible. Like the client's own agent, it uses the global
   * agent's proxy.
   */
  #ownAgent(): Agent {
    const { http, https } = this.#builtins;
    const proxyEnv = findProxyEnv(undefined, this.#target, this.#builtins);
    const options = { keepAlive: true, maxSockets: 1, proxyEnv };
    return this.#target.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const headers: OutgoingHttpHeaders = { ...request.headers, host: this.#target.host };
    for (const name of hopByHop) delete headers[name];
    const began = { at: Date.now(), after: performance.now() };
    const gone = new AbortController();
    // A client that gave up no longer waits for the platform.
    response.once('close', () => gone.abort());
    const raw = await this.#forward({
      method,
      path: url,
      headers,
      body: await readAll(request),
      signal: gone.signal,
    });
    const duration = performance.now() - began.after;
    const { status, headers: received, bytes, httpVersion, isReused } = raw;
    const [path = ''] = url.split('?');
    const about = { method, path, status, headers: received, httpVersion, isReused };
    this.exchanges.push({ ...about, body: this.#decode(raw), time: began.at + duration / 2, duration });
    if (this.#cutsNext && method !== 'GET' && path !== '/oauth/token') {
      this.#cutsNext = false;
      request.socket.destroy();
      return;
    }
    const passedOn = Object.entries(received).filter(([name]) => !hopByHop.includes(name));
    response.writeHead(status, { ...Object.fromEntries(passedOn), 'content-length': bytes.length });
    response.end(bytes);
  }

  #forward(request: Forwarded): Promise<RawResponse> {
    return this.#fetch === undefined
      ? this.#forwardByNode(request)
      : this.#forwardByFetch(request, this.#fetch);
  }

  #forwardByNode({ method, path, headers, body, signal }: Forwarded): Promise<RawResponse> {
    const { http, https } = this.#builtins;
    const send = this.#target.protocol === 'https:' ? https.request : http.request;
    return new Promise((resolve, reject) => {
      const sent = send(new URL(path, this.#target.origin), {
        method,
        headers,
        agent: this.#agent,
        signal,
      });
      const fail = (error: Error) => {
        if (sent.reusedSocket) this.resets++;
        reject(error);
      };
      sent.on('error', fail).on('response', (response) => {
        readAll(response, maxBodyBytes).then((bytes) => {
          resolve({
            status: response.statusCode ?? 0,
            headers: plainHeaders(Object.entries(response.headers)),
            bytes,
            httpVersion: response.httpVersion,
            isReused: sent.reusedSocket,
          });
        }, fail);
      });
      sent.end(body);
    });
  }

  async #forwardByFetch(
    { method, path, headers, body, signal }: Forwarded,
    fetch: Fetch,
  ): Promise<RawResponse> {
    const { host, 'content-length': _, ...others } = headers;
    const response = await fetch(new URL(path, this.#target.origin).href, {
      method,
      headers: plainHeaders(Object.entries(others)),
      redirect: 'manual',
      signal,
      ...(body.length > 0 && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const bytes = await readAll(response.body ?? new Blob([]).stream(), maxBodyBytes);
    // fetch decodes the body, but keeps the content-encoding header.
    const received = [...response.headers].filter(([name]) => name !== 'content-encoding');
    const { status } = response;
    return { status, headers: plainHeaders(received), bytes, httpVersion: undefined, isReused: undefined };
  }

  #decode({ headers, bytes }: RawResponse): Uint8Array {
    const { zlib } = this.#builtins;
    const decoders = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, deflate: zlib.inflateSync };
    const decode = decoders[(headers['content-encoding'] ?? '') as keyof typeof decoders];
    try {
      return decode?.(bytes) ?? bytes;
    } catch {
      // The content-encoding header is wrong. Another check reports that.
      return bytes;
    }
  }
}

const plainHeaders = (entries: readonly (readonly [string, unknown])[]): Record<string, string> =>
  Object.fromEntries(
    entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );

/** @throws RangeError after closing a stream of more than `limit` bytes */
async function readAll(
  stream: AsyncIterable<Uint8Array>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    // The client then sees a broken connection.
    if (length > limit) throw new RangeError();
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

export function readJson({ body }: Pick<Exchange, 'body'>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
