import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CreatePayment, PaymentPlatform, type PaymentPlatformOptions } from 'payment-platform';
import { samples } from 'payment-platform/testing';
import { createReceiver, memoryDedupe } from 'payment-platform/webhooks';

/** The mistakes that a shop can make. Without one, it is right. */
export type Mistake =
  | 'a new key for each attempt'
  | 'a new key after a 504'
  | 'one key for all orders'
  | 'two requests with different keys for a double click'
  | 'a repeated order is an error'
  | 'amounts in reais'
  | 'paid when ordered'
  | 'a declined card counts as paid'
  | 'no signature check'
  | 'no check of the time'
  | 'accepts a part of the signature'
  | 'the signature of the parsed body'
  | 'remembers events before the signature is checked'
  | 'acknowledges before the work'
  | 'handles an event twice'
  | 'checks, then acts'
  | 'any event pays'
  | 'shows the code of an expired payment'
  | 'rejects unknown events'
  | 'ignores refunds'
  | 'a late event pays again'
  | 'forgets a refund before the payment'
  | 'finds orders by the id in the response';

interface Order {
  readonly id: string;
  status: 'open' | 'paid' | 'declined' | 'expired' | 'refunded';
  shipments: number;
}

interface Event {
  readonly event: string;
  readonly id?: string | undefined;
  readonly externalReference?: string | undefined;
}

export const shopSecret = 'the secret of the test shop';

/** In cents. */
export const price = 19_900;

/** In the errors of the shop, but in no message of the check. */
export const customer = 'maria.silva@example.com';

/** A shop in memory that takes Pix, cards and boleto, with one mistake or none. */
class TestShop {
  readonly #orders = new Map<string, Order>();
  /** Orders by the id of their payment. */
  readonly #byPayment = new Map<string, Order>();
  readonly #seen = new Set<string>();
  /** Acknowledged, and handled after the next order has been shown. */
  readonly #late: Event[] = [];
  readonly #platform: PaymentPlatform;
  readonly #receiver;

  constructor(
    options: PaymentPlatformOptions,
    private readonly mistake: Mistake | undefined,
  ) {
    this.#platform = new PaymentPlatform({
      ...options,
      maxRetries: mistake?.startsWith('a new key') ? 0 : 2,
    });
    this.#receiver = createReceiver({
      secret: shopSecret,
      dedupe: memoryDedupe(),
      onRejected: () => undefined,
      on: {
        'transaction.paid': (event) => this.#handle(event),
        'transaction.refunded': (event) => this.#handle(event),
        'transaction.expired': (event) => this.#handle(event),
      },
    });
  }

  #makes(mistake: Mistake): boolean {
    return this.mistake === mistake;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { status, json } = await this.#route(request, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  }

  async #route(
    { method, url = '', headers }: IncomingMessage,
    body: string,
  ): Promise<{ status: number; json: unknown }> {
    if (url === '/webhooks') return { status: await this.#receive(body, headers), json: {} };
    if (method === 'POST') return this.#order(JSON.parse(body));
    const order = this.#orders.get(url.split('/').at(-1) ?? '');
    if (order === undefined) return { status: 404, json: {} };
    const json = { ...order, seconds: performance.now() / 1_000 };
    for (const event of this.#late.splice(0)) void this.#handle(event);
    return { status: 200, json };
  }

  async #order({ id, method, token }: { id: string; method: string; token?: string }) {
    const known = this.#orders.get(id);
    if (known !== undefined && this.#makes('a repeated order is an error')) return { status: 409, json: {} };
    const order: Order = known ?? { id, status: 'open', shipments: 0 };
    this.#orders.set(id, order);
    try {
      const payment = await this.#create(id, method, token);
      this.#byPayment.set(payment.id, order);
      if (payment.status === 'refused' && !this.#makes('a declined card counts as paid'))
        order.status = 'declined';
      else if (this.#makes('paid when ordered') || this.#makes('a declined card counts as paid'))
        order.status = 'paid';
      const isShown = order.status === 'open' || this.#makes('shows the code of an expired payment');
      const { qrCode } = (payment as { pix?: { qrCode?: string } }).pix ?? {};
      return { status: 201, json: { ...order, code: isShown ? qrCode : undefined } };
    } catch {
      return { status: 502, json: { error: `The order of ${customer} failed` } };
    }
  }

  async #create(id: string, method: string, token: string | undefined) {
    const amount = this.#makes('amounts in reais') ? Math.round(price / 100) : price;
    const items = [{ title: 'Coffee', quantity: 1, unitPrice: amount }];
    const order = { amount, externalId: id, items };
    const payload =
      method === 'pix'
        ? samples.payments.pix(order)
        : method === 'boleto'
          ? samples.payments.boleto(order)
          : { ...order, paymentMethod: 'credit_card', card: { cardTokenId: token, installments: 1 } };
    let idempotencyKey = this.#keyOf(id);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#platform.payments.create(payload as CreatePayment, { idempotencyKey });
      } catch (error) {
        if (!this.mistake?.startsWith('a new key') || attempt === 3) throw error;
        const isNew =
          this.#makes('a new key for each attempt') || (error as { status?: number }).status === 504;
        if (isNew) idempotencyKey = randomUUID();
      }
    }
  }

  #keyOf(id: string): string {
    if (this.#makes('one key for all orders')) return 'the-only-key';
    const isNew =
      this.#makes('a new key for each attempt') ||
      this.#makes('two requests with different keys for a double click');
    return isNew ? randomUUID() : id;
  }

  async #receive(body: string, headers: IncomingMessage['headers']): Promise<number> {
    const event = JSON.parse(body) as Event;
    if (this.#makes('remembers events before the signature is checked')) {
      if (this.#seen.has(`${event.event} ${event.id}`)) return 200;
      this.#seen.add(`${event.event} ${event.id}`);
    }
    if (this.#makes('rejects unknown events') && event.event === 'transaction.reviewed') return 500;
    if (this.#makes('acknowledges before the work')) {
      if (!this.#isSigned(body, headers, true)) return 401;
      this.#late.push(event);
      return 200;
    }
    if (this.#verifiesAlone()) {
      const signed = this.#makes('the signature of the parsed body')
        ? JSON.stringify(JSON.parse(body))
        : body;
      if (
        !this.#makes('no signature check') &&
        !this.#isSigned(signed, headers, !this.#makes('no check of the time'))
      )
        return 401;
      await this.#handle(event);
      return 200;
    }
    const request = new Request('https://shop.example/webhooks', {
      method: 'POST',
      body,
      headers: headers as Record<string, string>,
    });
    return (await this.#receiver.fetch(request)).status;
  }

  /** Whether the shop checks signatures by hand, and handles each delivery. */
  #verifiesAlone(): boolean {
    const own: Mistake[] = [
      'no signature check',
      'no check of the time',
      'accepts a part of the signature',
      'the signature of the parsed body',
      'handles an event twice',
      'checks, then acts',
      'a late event pays again',
      'any event pays',
    ];
    return own.some((mistake) => this.#makes(mistake));
  }

  #isSigned(body: string, headers: IncomingMessage['headers'], checksTime: boolean): boolean {
    const timestamp = String(headers['x-service-timestamp']);
    const signature = createHmac('sha256', shopSecret).update(`${timestamp}.${body}`).digest('hex');
    const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
    const given = String(headers['x-service-signature']);
    const isSame = this.#makes('accepts a part of the signature')
      ? headers['x-service-signature'] !== undefined && signature.startsWith(given)
      : signature === given;
    return isSame && (isRecent || !checksTime);
  }

  async #handle({ event, id, externalReference = '' }: Event): Promise<void> {
    const order = this.#makes('finds orders by the id in the response')
      ? this.#byPayment.get(String(id))
      : this.#orders.get(externalReference);
    if (order === undefined) return;
    if (event === 'transaction.refunded') {
      if (!this.#makes('ignores refunds')) order.status = 'refunded';
    } else if (event === 'transaction.paid' || this.#makes('any event pays')) await this.#pay(order);
    else if (event === 'transaction.expired' && order.status === 'open') order.status = 'expired';
  }

  async #pay(order: Order): Promise<void> {
    const repeats =
      this.#makes('handles an event twice') ||
      this.#makes('a late event pays again') ||
      this.#makes('forgets a refund before the payment');
    const isOpen = order.status === 'open';
    if (this.#makes('checks, then acts')) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!isOpen && !repeats && !this.#makes('any event pays')) return;
    if (isOpen || this.#makes('handles an event twice')) order.shipments++;
    order.status = order.status === 'refunded' && this.#makes('handles an event twice') ? 'refunded' : 'paid';
  }
}

/** Starts a shop. */
export async function startShop(
  options: PaymentPlatformOptions,
  mistake: Mistake | undefined,
): Promise<{ readonly url: string; close(): void }> {
  const shop = new TestShop(options, mistake);
  const server = createServer((request, response) => void shop.respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
