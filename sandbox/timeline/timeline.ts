import type { EventName } from '../../src/contract/events.js';
import type { OperationId } from '../../src/contract/index.js';
import type { DeliveryState, Status } from '../defaults/transitions.js';
import type { DeliveryFault } from '../faults/delivery-faults.js';
import type { Fault } from '../faults/fault-kinds.js';
import type { FaultPhase } from '../faults/fault-phases.js';

/** A webhook receiver's response, in addition to its status. */
export interface ReceiverAnswer {
  /** Real milliseconds from the request to the headers of the response. */
  readonly duration: number;
  /** The first 2 kB of its body. */
  readonly body: string;
}

/** Something that happened in the sandbox. */
export type Happening =
  | Requested
  | RequestFault
  | Answered
  | PaymentChange
  | DeliveryAttempted
  | DeliveryReceived
  | ClockMove
  | ControlCall;

/** A request of the journal arrived. */
interface Requested {
  /** The kind of event. */
  readonly kind: 'request';
  /** The number of the request in the journal. */
  readonly request: number;
}

/** A fault hit a request. */
interface RequestFault {
  /** The kind of event. */
  readonly kind: 'fault';
  /** The number of the request in the journal. */
  readonly request: number;
  /** The kind of fault. */
  readonly fault: Fault;
  /** When it hit the request. */
  readonly phase: FaultPhase;
}

/** The response to a request left the sandbox. */
interface Answered {
  /** The kind of event. */
  readonly kind: 'answer';
  /** The number of the request in the journal. */
  readonly request: number;
}

/** A payment has a new status; with its first one, it is charged. */
interface PaymentChange {
  /** The kind of event. */
  readonly kind: 'status';
  /** UUID of the payment. */
  readonly paymentId: string;
  /** The new status. */
  readonly status: Status;
  /** Whether it is the first status. */
  readonly isFirst: boolean;
  /** Cents. */
  readonly amount: number;
}

/** An attempt to deliver a notification began. */
interface DeliveryAttempted {
  /** The kind of event. */
  readonly kind: 'attempt';
  /** UUID of the payment; undefined for a notification about none. */
  readonly paymentId: string | undefined;
  /** The id of the delivery. */
  readonly deliveryId: string;
  /** The id of the webhook endpoint. */
  readonly endpointId: string;
  /** The name of the event. */
  readonly event: EventName | (string & {});
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The fault that hits it. */
  readonly fault: DeliveryFault | undefined;
  /** Milliseconds on the clock, of the fault `delay`. */
  readonly delay: number;
}

/** An attempt to deliver a notification ended. */
interface DeliveryReceived {
  /** The kind of event. */
  readonly kind: 'receipt';
  /** UUID of the payment; undefined for a notification about none. */
  readonly paymentId: string | undefined;
  /** The id of the delivery. */
  readonly deliveryId: string;
  /** The name of the event. */
  readonly event: EventName | (string & {});
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The state of the delivery. */
  readonly state: DeliveryState;
  /** The HTTP status of the receiver; undefined if it gave none. */
  readonly status: number | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
  /** The receiver's response. */
  readonly answer: ReceiverAnswer | undefined;
}

/** The clock was moved. */
interface ClockMove {
  /** The kind of event. */
  readonly kind: 'clock';
  /** Milliseconds. */
  readonly by: number;
}

/** A control was called. */
interface ControlCall {
  /** The kind of event. */
  readonly kind: 'control';
  /** Its name, such as `payments.pay`. */
  readonly call: string;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
}

/** A happening, with its place in the order of all. */
export type TimelineEvent = Happening & {
  /** 1 for the first since the sandbox began. */
  readonly number: number;
  /** ISO 8601 UTC, on the sandbox's clock; of a move of the clock, before it. */
  readonly at: string;
};

/** An event as readers get it. The events of a request say which one. */
export type TimelineEntry = TimelineEvent & {
  /** The payment that it is about. */
  readonly paymentId?: string | undefined;
  /** Of a request: the HTTP method. */
  readonly method?: string;
  /** Of a request: the path with the query. */
  readonly path?: string;
  /** Of a request: its operation. */
  readonly operation?: OperationId | undefined;
  /** Of a request: its idempotency key. */
  readonly idempotencyKey?: string | undefined;
  /** Of an answer: its HTTP status. Of a payment: its new status. Of a receipt: the status of the receiver. */
  readonly status?: string | number | undefined;
};

/** The most happenings that are kept. The oldest are forgotten. */
const maxKept = 10_000;

/** How many more are gathered before the oldest are forgotten at once. */
const slack = 1_000;

/** The events since the sandbox began, in order. Saved states do not include it. */
export class Timeline {
  #events: TimelineEvent[] = [];
  #next = 1;
  readonly #now: () => string;
  readonly #listeners = new Set<(event: TimelineEvent) => void>();

  /** @param now the time on the sandbox's clock, ISO 8601. */
  constructor(now: () => string) {
    this.#now = now;
  }

  get events(): readonly TimelineEvent[] {
    return this.#events;
  }

  /** Calls a listener with each event from now on, after what caused it is done. Returns a function that ends it. */
  listen(listener: (event: TimelineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note(happening: Happening): void {
    this.#add(happening);
  }

  /** Notes a call before what follows from it, and forgets it if it throws. */
  noteCall<Result>(call: string, args: readonly unknown[], run: () => Result): Result {
    const event = this.#add({ kind: 'control', call, args });
    try {
      return run();
    } catch (error) {
      this.#events = this.#events.filter((other) => other !== event);
      throw error;
    }
  }

  clear(): void {
    this.#events = [];
    this.#next = 1;
  }

  #add(happening: Happening): TimelineEvent {
    const event: TimelineEvent = Object.freeze({ number: this.#next, at: this.#now(), ...happening });
    this.#next += 1;
    this.#events.push(event);
    if (this.#events.length > maxKept + slack) this.#events = this.#events.slice(-maxKept);
    for (const listener of this.#listeners) queueMicrotask(() => listener(event));
    return event;
  }
}
