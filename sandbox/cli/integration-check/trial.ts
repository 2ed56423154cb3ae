import { randomUUID } from 'node:crypto';
import { type PlatformSide, poll, type SandboxPayment } from './platform-side.js';
import { isSuccess, type Method, type Shop, type ShopResponse, type TestCard } from './shop.js';
import { holds } from './state.js';

/** An order that the check has placed. */
export interface PlacedOrder {
  /** The value of `{order}`. */
  readonly order: string;
  readonly id: string;
  readonly response: ShopResponse;
  /** The payments that the order made. */
  readonly payments: readonly SandboxPayment[];
}

/** How the platform names the methods. */
const methodNames: Readonly<Record<Method, string>> = {
  pix: 'pix',
  card: 'credit_card',
  boleto: 'boleto',
};

/** Milliseconds to wait for a change that must not happen. */
const untilFinal = 300;

/** Describes a response for a message: its status, and an error's type and length. */
export const describeResponse = (response: ShopResponse): string => {
  const { status, summary } = response;
  if (status === 0) return `did not respond (${summary})`;
  return isSuccess(response) ? `responded ${status}` : `responded ${status} (${summary})`;
};

/** The shop, the sandbox, and the problems that a journey found. */
export class Trial {
  readonly problems: string[] = [];
  /** Whether an order has made a payment. */
  hasPayment = false;

  constructor(
    readonly shop: Shop,
    readonly platform: PlatformSide,
    /** The price of each order in cents. */
    readonly amount: number,
    /** Whether the shop records events in a queue, and handles them later. */
    readonly isQueued: boolean,
  ) {}

  /** Milliseconds to wait for an effect: a queue can work later. */
  get #longest(): number | undefined {
    return this.isQueued ? this.shop.description.timeout : undefined;
  }

  fails(problem: string): void {
    this.problems.push(problem);
  }

  /** Reports a response other than 2xx. `request` is the end of the message. */
  mustAccept(response: ShopResponse, request: string): boolean {
    const isAccepted = isSuccess(response);
    if (!isAccepted) this.fails(`The shop ${describeResponse(response)} to ${request}`);
    return isAccepted;
  }

  /** Places an order. Reports it unless it gets a 2xx and makes one payment of the right amount and method. */
  async place(method: Method, card: TestCard = 'approved'): Promise<PlacedOrder> {
    const placed = await this.tryToPlace(method, card);
    const { response, payments } = placed;
    if (this.mustAccept(response, 'an order.') && payments.length === 0)
      this.fails(
        "An order made no payment. The shop must use the credentials of the sandbox's first merchant, and one idempotency key for each order.",
      );
    this.checkPayments(payments, method);
    return placed;
  }

  /** Places an order whose response can be lost. */
  async tryToPlace(
    method: Method,
    card: TestCard = 'approved',
    order: string = randomUUID(),
  ): Promise<PlacedOrder> {
    const listNew = await this.watchPayments();
    const response = await this.shop.order(method, order, card);
    const payments = await poll(listNew, {
      longest: isSuccess(response) ? this.#longest : 0,
      until: (made) => made.length > 0,
    });
    this.hasPayment ||= payments.length > 0;
    return { order, id: this.shop.idOf(response, order), response, payments };
  }

  /** Remembers the payments of now, and returns a function that lists the new ones. */
  async watchPayments(): Promise<() => Promise<SandboxPayment[]>> {
    const before = new Set((await this.platform.listPayments()).map(({ id }) => id));
    return async () => (await this.platform.listPayments()).filter(({ id }) => !before.has(id));
  }

  checkPayments(payments: readonly SandboxPayment[], method: Method): void {
    if (payments.length > 1)
      this.fails(
        `One order made ${payments.length} payments. Use one idempotency key for each order, and retry with the same key.`,
      );
    for (const { amount, paymentMethod } of payments) {
      if (amount !== this.amount)
        this.fails(
          `The payment has the amount ${amount}, not ${this.amount}. Amounts are integers in cents.`,
        );
      if (paymentMethod !== methodNames[method])
        this.fails(`The payment has the method ${paymentMethod}, not ${methodNames[method]}.`);
    }
  }

  /** Reads an order's state. Reports a response that is not JSON with a 2xx status. */
  async state({ id, order }: PlacedOrder): Promise<unknown> {
    const response = await this.shop.state(id, order);
    if (isSuccess(response) && response.json !== undefined) return response.json;
    this.fails(`The shop ${describeResponse(response)} to the request for an order's state, without JSON.`);
    return undefined;
  }

  /** Checks for the state of a refunded order: the one of the description, or else one that is not paid. */
  isRefunded(state: unknown): boolean {
    const { paid, refunded } = this.shop.description;
    return refunded === undefined ? !holds(paid, state) : holds(refunded, state);
  }

  async isPaid(placed: PlacedOrder): Promise<boolean> {
    return holds(this.shop.description.paid, await this.state(placed));
  }

  /** Waits until an order is paid. Returns false after five seconds, or with a queue after the time limit. */
  async becomesPaid(placed: PlacedOrder): Promise<boolean> {
    return poll(() => this.isPaid(placed), { longest: this.#longest });
  }

  /** Reports an order that is paid, or becomes paid shortly after. */
  async mustStayUnpaid(placed: PlacedOrder, why: string): Promise<boolean> {
    const isPaid = await poll(() => this.isPaid(placed), { longest: untilFinal });
    if (isPaid) this.fails(`The order is paid, although ${why}.`);
    return !isPaid;
  }

  /** Delivers an event of an order's payment, signed. Returns undefined if the order has no payment. */
  async deliver(placed: PlacedOrder, event: string, copies = 1): Promise<ShopResponse | undefined> {
    const body = await this.bodyOf(placed, event);
    if (body === undefined) return undefined;
    const responses = await Promise.all(
      Array.from({ length: copies }, () => this.shop.deliver(body, this.platform.sign(body))),
    );
    return responses.find((response) => !isSuccess(response)) ?? responses[0];
  }

  async bodyOf({ payments: [payment] }: PlacedOrder, event: string): Promise<string | undefined> {
    if (payment === undefined) return undefined;
    const body = await this.platform.bodyOf(payment.id, event);
    if (body === undefined) this.fails(`The sandbox sent no ${event}.`);
    return body;
  }

  /** Pays an order at the bank, and returns the body of the event, which the shop has not seen yet. */
  async paidBody(placed: PlacedOrder): Promise<string | undefined> {
    const [payment] = placed.payments;
    if (payment !== undefined) await this.platform.pay(payment);
    return this.bodyOf(placed, 'transaction.paid');
  }

  /** Pays an order and delivers the event. Reports a response other than 2xx. */
  async pay(placed: PlacedOrder): Promise<void> {
    const [payment] = placed.payments;
    if (payment === undefined) return;
    await this.platform.pay(payment);
    await this.deliverExpectingSuccess(placed, 'transaction.paid');
  }

  async deliverExpectingSuccess(placed: PlacedOrder, event: string): Promise<void> {
    const response = await this.deliver(placed, event);
    if (response !== undefined)
      this.mustAccept(
        response,
        `a genuine ${event}. The platform sends it again, and in the end it is lost.`,
      );
  }
}
