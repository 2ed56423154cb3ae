import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isPaymentPlatformError } from 'payment-platform';
import { verify, type WebhookEvent } from 'payment-platform/webhooks';

/** An event about a payment in a status. */
interface Wanted {
  readonly event: string;
  readonly id: string;
  readonly status: string;
}

const matches = (event: WebhookEvent, { event: name, id, status }: Wanted) =>
  event.event === name && event.id === id && event.status === status;

/** A merchant's server, which only receives and verifies notifications. */
export class Shop {
  readonly received: WebhookEvent[] = [];
  /** The reason of each rejected delivery. */
  readonly rejected: string[] = [];
  readonly #secret: string;
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  #waiting: { readonly wanted: Wanted; readonly found: () => void }[] = [];

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Opens a free port, and returns the URL for notifications. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Waits up to ten seconds for a verified event. */
  async notified(wanted: Wanted): Promise<void> {
    if (this.received.some((event) => matches(event, wanted))) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`The notification ${wanted.event} did not arrive within ten seconds.`)),
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
      // The signature covers the raw bytes. A body that was parsed and serialised again cannot be verified.
      const event = verify({ body: await buffer(request), headers: request.headers }, this.#secret);
      this.received.push(event);
      response.writeHead(204).end();
      for (const { wanted, found } of this.#waiting) if (matches(event, wanted)) found();
    } catch (error) {
      this.rejected.push(
        isPaymentPlatformError(error) && 'reason' in error ? String(error.reason) : 'unexpected',
      );
      if (!response.headersSent) response.writeHead(400);
      response.end();
    }
  }
}
