import type { DeliveryHeaders } from '../delivery.js';
import type { RawBody } from '../signature.js';
import type { TimeLimit } from './time-limit.js';
import type { ReceivedDelivery } from './types.js';

/** An authentic delivery. */
export class Received implements ReceivedDelivery {
  readonly #limit: TimeLimit;

  constructor(
    limit: TimeLimit,
    readonly id: string,
    readonly body: RawBody,
    readonly headers: DeliveryHeaders,
    readonly timestamp: string,
    readonly secretIndex: number,
    readonly transaction: undefined = undefined,
  ) {
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** The same delivery for a handler that runs in a transaction. */
  within(transaction: unknown): Received {
    const { id, body, headers, timestamp, secretIndex } = this;
    return new Received(this.#limit, id, body, headers, timestamp, secretIndex, transaction as undefined);
  }
}
