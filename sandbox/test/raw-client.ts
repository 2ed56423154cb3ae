import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SandboxServer } from '../index.js';

export interface RawReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A TCP connection that sends requests byte by byte. */
export class RawClient {
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1');
      this.#wake();
    });
    socket.on('close', () => this.#wake());
    // The reply, or its absence, shows a reset.
    socket.on('error', () => undefined);
  }

  static async open({ port }: Pick<SandboxServer, 'port'>, host = '127.0.0.1'): Promise<RawClient> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Writes bytes, and waits until they are sent or the connection is lost. */
  async write(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Returns the next reply; rejects if the connection ends first. */
  async reply(): Promise<RawReply> {
    for (;;) {
      const reply = this.#take();
      if (reply !== undefined) return reply;
      if (this.#socket.closed) throw new Error('dropped without a response');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(): RawReply | undefined {
    const [, status = '', head = ''] = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n(.*?)\r\n\r\n/s.exec(this.#text) ?? [];
    if (status === '') return undefined;
    const headers: Record<string, string> = {};
    for (const line of head.split('\r\n')) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const start = this.#text.indexOf('\r\n\r\n') + 4;
    const isChunked = headers['transfer-encoding'] === 'chunked';
    const bodyRead = isChunked
      ? takeChunks(this.#text, start)
      : takeLength(this.#text, start, Number(headers['content-length'] ?? 0));
    if (bodyRead === undefined) return undefined;
    this.#text = this.#text.slice(bodyRead.end);
    return { status: Number(status), headers, body: bodyRead.body };
  }
}

/** A body and its end position. */
interface BodyRead {
  readonly body: string;
  readonly end: number;
}

function takeLength(text: string, start: number, length: number): BodyRead | undefined {
  const end = start + length;
  return text.length < end ? undefined : { body: text.slice(start, end), end };
}

function takeChunks(text: string, start: number): BodyRead | undefined {
  let body = '';
  for (let at = start; ; ) {
    const [line, size = ''] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at)) ?? [];
    if (line === undefined) return undefined;
    const chunk = takeLength(text, at + line.length, Number.parseInt(size, 16));
    if (chunk === undefined || text.length < chunk.end + 2) return undefined;
    at = chunk.end + 2;
    if (chunk.body === '') return { body, end: at };
    body += chunk.body;
  }
}

/** Sends bytes on a new connection, and returns the first reply. */
export async function exchange(
  server: Pick<SandboxServer, 'port'>,
  bytes: string,
  host?: string,
): Promise<RawReply> {
  const client = await RawClient.open(server, host);
  try {
    await client.write(bytes);
    return await client.reply();
  } finally {
    client.close();
  }
}

/** Writes a request. A header whose value is an array is sent more than once. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  body = '',
): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return `${[line, ...lines, ...length].join('\r\n')}\r\n\r\n${body}`;
}
