import type { EventName } from '../../src/contract/events.js';
import type { OperationId } from '../../src/contract/index.js';
import { isPromise } from '../../src/validation/record.js';
import type { DeliveryState, SandboxPaymentStatus } from '../defaults/transitions.js';
import type { DeliveryFault } from '../faults/delivery-faults.js';
import type { Fault } from '../faults/fault-kinds.js';
import type { FaultPhase } from '../faults/fault-phases.js';

/** A webhook receiver's response, in addition to its status. */
export interface ReceiverResponse {
  /** Real milliseconds from the request to the headers of the response. */
  readonly duration: number;
  /** The beginning of the response's body, at most 2 KiB. */
  readonly body: string;
}

/** An event in the sandbox. */
export type Happening =
  | Requested
  | RequestFault
  | Responded
  | PaymentChange
  | DeliveryAttempted
  | DeliveryReceived
  | ClockMove
  | ControlCall;

/** A request arrived. The journal contains it. */
interface Requested {
  /** The kind of event. */
  readonly kind: 'request';
  /** The request's number in the journal. */
  readonly request: number;
}

/** A fault hit a request. */
interface RequestFault {
  /** The kind of event. */
  readonly kind: 'fault';
  /** The request's number in the journal. */
  readonly request: number;
  /** The kind of fault. Of a response, only the status. */
  readonly fault: Fault;
  /** The moment at which the fault hit the request. */
  readonly phase: FaultPhase;
}

/** The response to a request left the sandbox. */
interface Responded {
  /** The kind of event. */
  readonly kind: 'response';
  /** The request's number in the journal. */
  readonly request: number;
}

/** A payment has a new status. The first status is set when the payment is created and charged. */
interface PaymentChange {
  /** The kind of event. */
  readonly kind: 'status';
  /** The payment's UUID. */
  readonly paymentId: string;
  /** The new status. */
  readonly status: SandboxPaymentStatus;
  /** Whether this is the payment's first status. */
  readonly isFirst: boolean;
  /** In cents. */
  readonly amount: number;
}

/** An attempt to deliver a notification started. */
interface DeliveryAttempted {
  /** The kind of event. */
  readonly kind: 'attempt';
  /** The payment's UUID; undefined for a notification without a payment. */
  readonly paymentId: string | undefined;
  /** UUID of the delivery. */
  readonly deliveryId: string;
  /** UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** The event's name. */
  readonly event: EventName | (string & {});
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The fault that hits the attempt. */
  readonly fault: DeliveryFault | undefined;
  /** Delay of the fault `delay`, in milliseconds on the sandbox's clock. */
  readonly delay: number;
}

/** An attempt to deliver a notification ended. */
interface DeliveryReceived {
  /** The kind of event. */
  readonly kind: 'receipt';
  /** The payment's UUID; undefined for a notification without a payment. */
  readonly paymentId: string | undefined;
  /** UUID of the delivery. */
  readonly deliveryId: string;
  /** The event's name. */
  readonly event: EventName | (string & {});
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The attempt's state. */
  readonly state: DeliveryState;
  /** The status of the receiver's response; undefined without a response. */
  readonly status: number | undefined;
  /** Why the attempt got no response; undefined with a response. */
  readonly error: string | undefined;
  /** The receiver's response. */
  readonly response: ReceiverResponse | undefined;
}

/** The clock was moved. */
interface ClockMove {
  /** The kind of event. */
  readonly kind: 'clock';
  /** The length of the advance, in milliseconds. */
  readonly by: number;
}

/** A control method was called. */
interface ControlCall {
  /** The kind of event. */
  readonly kind: 'control';
  /** The control method's name, such as `payments.pay`. */
  readonly call: string;
  /** The arguments of the call, without secrets. */
  readonly args: readonly unknown[];
}

/** An event with its position among all events. */
export type TimelineEvent = Happening & {
  /** The event's number, from 1. */
  readonly number: number;
  /** ISO 8601 UTC, on the sandbox's clock. For a move of the clock, the time before it. */
  readonly at: string;
};

/** An event as listeners receive it. An event about a request also has the request's fields. */
export type TimelineEntry = TimelineEvent & {
  /** The affected payment. */
  readonly paymentId?: string | undefined;
  /** The HTTP method, for an event about a request. */
  readonly method?: string;
  /** The path with the query, for an event about a request. */
  readonly path?: string;
  /** The operation, for an event about a request. */
  readonly operation?: OperationId | undefined;
  /** The idempotency key, for an event about a request. */
  readonly idempotencyKey?: string | undefined;
  /** The HTTP status of a response, the new status of a payment, or the status of the receiver's response. */
  readonly status?: string | number | undefined;
};

/** The oldest events are dropped. */
const maxKept = 10_000;

/** The number of additional events before the oldest are dropped at once. */
const slack = 1_000;

/** Saved states do not include the events. */
export class Timeline {
  #events: TimelineEvent[] = [];
  #next = 1;
  #isWhole = true;
  readonly #now: () => string;
  readonly #undone = new WeakSet<TimelineEvent>();
  readonly #listeners = new Set<(event: TimelineEvent) => void>();

  /** @param now the time on the sandbox's clock, ISO 8601 */
  constructor(now: () => string) {
    this.#now = now;
  }

  get events(): readonly TimelineEvent[] {
    return this.#events;
  }

  /** False if the sandbox went on from a saved state, or if the oldest events were dropped. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  missStart(): void {
    this.#isWhole = false;
  }

  /** Each event comes after the work that caused it. Returns a function that removes the listener. */
  listen(listener: (event: TimelineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note(happening: Happening): void {
    this.#add(happening);
  }

  /**
   * The record comes before the events that the call causes. If the call throws or rejects, it is removed, and a
   * listener sees no call that throws.
   */
  noteCall<Result>(call: string, args: readonly unknown[], run: () => Result): Result {
    const event = this.#add({ kind: 'control', call, args });
    const remove = () => {
      this.#undone.add(event);
      this.#events = this.#events.filter((other) => other !== event);
    };
    try {
      const result = run();
      if (isPromise(result)) result.then(undefined, remove);
      return result;
    } catch (error) {
      remove();
      throw error;
    }
  }

  clear(): void {
    this.#events = [];
    this.#next = 1;
    this.#isWhole = true;
  }

  #add(happening: Happening): TimelineEvent {
    const event: TimelineEvent = Object.freeze({ number: this.#next, at: this.#now(), ...happening });
    this.#next += 1;
    this.#events.push(event);
    if (this.#events.length > maxKept + slack) {
      this.#events = this.#events.slice(-maxKept);
      this.#isWhole = false;
    }
    for (const listener of this.#listeners)
      queueMicrotask(() => {
        if (!this.#undone.has(event)) listener(event);
      });
    return event;
  }
}
