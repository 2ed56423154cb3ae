import type { TimeLimit } from './time-limit.js';
import type { ReceivedDelivery } from './types.js';

/** What is known of a delivery before somebody handles it. */
type Facts = Omit<ReceivedDelivery<unknown>, 'signal'>;

/** An authentic delivery. */
export class Received implements ReceivedDelivery {
  readonly #limit: TimeLimit;
  readonly #facts: Facts;
  declare readonly id: ReceivedDelivery['id'];
  declare readonly changed: ReceivedDelivery['changed'];
  declare readonly body: ReceivedDelivery['body'];
  declare readonly headers: ReceivedDelivery['headers'];
  declare readonly timestamp: ReceivedDelivery['timestamp'];
  declare readonly secretIndex: ReceivedDelivery['secretIndex'];
  declare readonly transaction: undefined;

  constructor(limit: TimeLimit, facts: Facts) {
    this.#limit = limit;
    this.#facts = facts;
    Object.assign(this, facts);
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** The same delivery, of which something else is known. */
  with(facts: Partial<Facts>): Received {
    return new Received(this.#limit, { ...this.#facts, ...facts });
  }

  /** Tells the handler that its work is no longer wanted. */
  abort(): void {
    this.#limit.abort();
  }
}
