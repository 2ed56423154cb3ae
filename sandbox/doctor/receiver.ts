import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** In bytes. */
const maxDeliveryBytes = 1_000_000;

export interface RecordedDelivery {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The signed bytes. */
  readonly bytes: Uint8Array;
  readonly body: string;
}

export class DoctorReceiver {
  readonly deliveries: RecordedDelivery[] = [];
  /** The status of all responses. */
  status = 200;
  readonly #server: Server;
  readonly #url: string | undefined;
  #arrived: () => void = () => undefined;

  private constructor({ createServer }: typeof import('node:http'), url: string | undefined) {
    this.#url = url;
    this.#server = createServer((request, response) => {
      this.#record(request, response).catch(() => request.destroy());
    });
  }

  /** @param url the URL that the platform uses. Default: the receiver's own URL */
  static async start(http: typeof import('node:http'), port: number, url?: string): Promise<DoctorReceiver> {
    const receiver = new DoctorReceiver(http, url);
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return this.#url ?? `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  /**
   * @param patience milliseconds
   * @returns fewer than `count` if the time is over or the signal aborts
   */
  async until(
    count: number,
    accepts: (delivery: RecordedDelivery) => boolean,
    patience: number,
    signal?: AbortSignal,
  ): Promise<RecordedDelivery[]> {
    const deadline = performance.now() + patience;
    while (true) {
      const found = this.deliveries.filter(accepts);
      const left = deadline - performance.now();
      if (found.length >= count || left <= 0 || signal?.aborted) return found;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      // A tunnel makes the receiver public.
      if (length > maxDeliveryBytes) {
        request.destroy();
        return;
      }
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const { method = '', headers } = request;
    this.deliveries.push({ method, headers, bytes, body: bytes.toString() });
    response.writeHead(this.status).end();
    this.#arrived();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
