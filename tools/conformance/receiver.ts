import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook receiver on this machine, with the URL that the platform can reach. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** The response to every delivery. */
  status = 200;
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      this.deliveries.push({ method: request.method ?? '', headers: request.headers, body });
      response.writeHead(this.status).end();
      this.#arrived();
    });
  });
  #arrived: () => void = () => undefined;
  #url = '';

  /** @param url as the platform reaches it; without it, the one on this machine. */
  static async start(port: number, url?: string): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    const { port: actual } = receiver.#server.address() as AddressInfo;
    receiver.#url = url ?? `http://127.0.0.1:${actual}/conformance`;
    return receiver;
  }

  get url(): string {
    return this.#url;
  }

  /** Waits for the given number of deliveries that a test accepts, at most for a time in milliseconds. */
  async until(
    count: number,
    accepts: (delivery: Delivery) => boolean,
    patience: number,
  ): Promise<Delivery[]> {
    const deadline = performance.now() + patience;
    while (true) {
      const found = this.deliveries.filter(accepts);
      const left = deadline - performance.now();
      if (found.length >= count || left <= 0) return found;
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#arrived = resolve;
        }),
        new Promise((resolve) => setTimeout(resolve, left).unref()),
      ]);
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
