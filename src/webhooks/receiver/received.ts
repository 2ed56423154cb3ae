import type { DeliveryHeaders } from '../delivery.js';
import type { RawBody } from '../signature.js';
import type { ReceivedDelivery } from './types.js';

/** What is known of an authentic delivery. */
export type Known = Omit<ReceivedDelivery, 'signal' | 'transaction'>;

/** An authentic delivery. Its signal is made when somebody asks for it. */
export class Received implements ReceivedDelivery {
  readonly id: string;
  readonly body: RawBody;
  readonly headers: DeliveryHeaders;
  readonly timestamp: string;
  readonly secretIndex: number;
  readonly transaction: undefined;
  readonly #limit: TimeLimit;

  constructor(known: Known, limit = new TimeLimit(), transaction?: unknown) {
    this.id = known.id;
    this.body = known.body;
    this.headers = known.headers;
    this.timestamp = known.timestamp;
    this.secretIndex = known.secretIndex;
    this.transaction = transaction as undefined;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** The same delivery for a handler that runs in a transaction. */
  within(transaction: unknown): Received {
    return new Received(this, this.#limit, transaction);
  }

  /** Aborts the signal. */
  abort(): void {
    this.#limit.end();
  }
}

class TimeLimit {
  #controller: AbortController | undefined;
  #isOver = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  end(): void {
    this.#isOver = true;
    this.#controller?.abort();
  }
}
