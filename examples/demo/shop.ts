import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isPaymentPlatformError } from 'payment-platform';
import { verify, type WebhookEvent } from 'payment-platform/webhooks';

/** What to wait for: an event about a payment in a status. */
interface Wanted {
  readonly event: string;
  readonly id: string;
  readonly status: string;
}

const matches = (event: WebhookEvent, { event: name, id, status }: Wanted) =>
  event.event === name && event.id === id && event.status === status;

/** A merchant's server: all it does here is to receive notifications and check them. */
export class Shop {
  readonly received: WebhookEvent[] = [];
  /** Reasons for which a delivery was refused. */
  readonly refused: string[] = [];
  readonly #secret: string;
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  #waiting: { readonly wanted: Wanted; readonly found: () => void }[] = [];

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Opens on a free port of this machine and returns the address for notifications. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Waits until an event has come and was found authentic; gives up after ten seconds. */
  async notified(wanted: Wanted): Promise<void> {
    if (this.received.some((event) => matches(event, wanted))) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no notification ${wanted.event} within ten seconds`)),
        10_000,
      );
      const found = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push({ wanted, found });
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // The raw bytes: a parsed and serialised body is no longer what was signed.
      const event = verify({ body: await buffer(request), headers: request.headers }, this.#secret);
      this.received.push(event);
      response.writeHead(204).end();
      for (const { wanted, found } of this.#waiting) if (matches(event, wanted)) found();
    } catch (error) {
      this.refused.push(
        isPaymentPlatformError(error) && 'reason' in error ? String(error.reason) : 'unexpected',
      );
      if (!response.headersSent) response.writeHead(400);
      response.end();
    }
  }
}
