import {
  BadRequestError,
  ConnectionError,
  type ErrorDetails,
  isPaymentPlatformError,
  type Payment,
  PaymentOutcomeUnknownError,
  ServerError,
  TimeoutError,
  ValidationError,
  type WebhookEvent,
} from 'payment-platform';
import {
  createDurablePayments,
  type DurablePayments,
  type DurableState,
  memoryPayments,
  type PaymentRow,
  type PaymentStore,
} from 'payment-platform/durable';
/** Returns a number from 0 (included) to 1 (excluded). */
import { statusRanks } from '../../src/contract/events.js';
import { computeMerchant } from '../../src/durable/merchant-store.js';
import { order } from '../support/durable.js';

export type Random = () => number;

const minute = 60_000;
const hour = 60 * minute;
const giveUpAfter = 6 * hour;
/** The platform remembers a key for this long after its first request. A later request is a second charge. */
const keyLifetime = giveUpAfter + hour;
/** The largest difference between two workers' clocks. */
const skew = 5 * minute;

/**
 * Reports a worker's death. The package shows only a store error's message, so the message identifies this
 * error.
 */
const crash = () => new Error('the process was terminated');
const isCrash = (error: unknown) => error instanceof Error && error.message === crash().message;

/** Reports a failure of a store or the network. */
const outage = () => new Error('the store is unavailable');
const isOutage = (error: unknown) => error instanceof Error && error.message === outage().message;

const isExpected = (error: unknown) => isCrash(error) || isOutage(error) || isPaymentPlatformError(error);

interface Turn {
  readonly worker: Worker | undefined;
  readonly go: () => void;
  readonly stop: (error: Error) => void;
}

/**
 * Runs one task at a time. The code between two effects runs alone. When every task waits, the scheduler
 * picks the next effect at random. A seed therefore gives the same run on every machine.
 */
class Scheduler {
  readonly #random: Random;
  #waiting: Turn[] = [];
  #running = 0;
  #quiet: () => void = () => undefined;
  steps = 0;
  failure: unknown;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the number of tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts a task, which counts as running until it ends. */
  async start(work: () => Promise<unknown>): Promise<void> {
    this.#running++;
    await this.#untilQuiet(() => {
      work()
        .catch((error: unknown) => {
          if (!isExpected(error)) this.failure ??= error;
        })
        .finally(() => this.#pause());
    });
  }

  /** Waits until the calling task has its turn. Rejects if the task's worker dies. */
  async turn(worker: Worker): Promise<void> {
    if (worker.isDead) throw crash();
    const turn = new Promise<void>((go, stop) => this.#waiting.push({ worker, go, stop }));
    this.#pause();
    await turn;
  }

  /** Runs an effect when its turn comes, even if its worker has died by then. */
  later(work: () => unknown): void {
    const go = () => {
      work();
      this.#pause();
    };
    this.#waiting.push({ worker: undefined, go, stop: () => undefined });
  }

  /** Runs one waiting effect. */
  async step(): Promise<void> {
    this.steps++;
    const index = Math.floor(this.#random() * this.#waiting.length);
    const [next] = this.#waiting.splice(index, 1);
    if (next === undefined) return;
    this.#running++;
    await this.#untilQuiet(next.go);
  }

  /** Kills a worker. The steps that the worker waited for never happen. */
  async kill(worker: Worker): Promise<void> {
    worker.isDead = true;
    const lost = this.#waiting.filter((one) => one.worker === worker);
    this.#waiting = this.#waiting.filter((one) => one.worker !== worker);
    for (const { stop } of lost) {
      this.#running++;
      await this.#untilQuiet(() => stop(crash()));
    }
  }

  #pause(): void {
    this.#running--;
    if (this.#running === 0) this.#quiet();
  }

  async #untilQuiet(begin: () => void): Promise<void> {
    const quiet = new Promise<void>((resolve) => {
      this.#quiet = resolve;
    });
    begin();
    await quiet;
  }
}

/** Models a process: its clock, its view of the store, and whether the process is alive. */
class Worker {
  isDead = false;
  readonly clock: () => number;
  readonly payments: DurablePayments;

  constructor(simulation: Simulation) {
    const ahead = (simulation.random() - 0.5) * skew;
    this.clock = () => simulation.now + ahead;
    this.payments = createDurablePayments(
      { payments: simulation.platform.createClient(this), merchant: owner },
      {
        store: simulation.createStore(this),
        giveUpAfter,
        timeout: 30_000,
        retryDelay: 2_000,
        maxRetryDelay: 20 * minute,
        onError: () => undefined,
      },
    );
  }
}

/** The platform's record of a key. */
interface Charge {
  readonly id: string;
  readonly since: number;
  readonly body: string;
  status: 'waiting_payment' | 'paid' | 'refunded';
  /** The platform responds with 409 until the acquirer has reported the outcome. */
  state: 'unresolved' | 'created';
}

/** Models the platform according to the API docs, and the network in front of it. */
class Platform {
  readonly #simulation: Simulation;
  readonly charges = new Map<string, Charge>();
  /** Every payment ever made. More than one payment per key means that money was lost. */
  readonly made: string[] = [];
  readonly events: { readonly key: string; readonly event: WebhookEvent }[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  createClient(worker: Worker) {
    return {
      validate: () => undefined,
      create: (body: object, options?: { idempotencyKey?: string | null }) =>
        this.#call(worker, body, options?.idempotencyKey ?? '', false),
      reconcile: (body: object, options: { idempotencyKey: string }) =>
        this.#call(worker, body, options.idempotencyKey, true),
      // The simulation ignores the other fields of a payment.
    } as never;
  }

  async #call(worker: Worker, body: object, key: string, continues: boolean): Promise<Payment> {
    const { scheduler, random } = this.#simulation;
    const fails = (details: ErrorDetails): ErrorDetails => ({
      idempotencyKey: key,
      ...details,
      ...(continues && { outcome: 'unknown' }),
    });
    const sent = this.#simulation.now;
    await scheduler.turn(worker);
    const chance = random();
    // A process with another version or other options rejects a payment that an earlier process sent.
    if (chance < 0.01)
      throw new ValidationError('payments.create', [{ path: 'amount', message: 'refused' }], key);
    // A gateway rejects a payment that the platform has already executed.
    if (chance < 0.02) throw new BadRequestError('400', fails({ outcome: 'not-executed', status: 400 }));
    if (chance < 0.04) throw new ConnectionError('refused', fails({ outcome: 'not-executed' }));
    if (chance < 0.06) {
      // The request arrives after its caller has stopped waiting.
      scheduler.later(() => this.#execute(key, JSON.stringify(body)));
      throw new TimeoutError('late', fails({ outcome: 'unknown' }));
    }
    if (chance < 0.08) throw new ServerError('before', fails({ outcome: 'unknown', status: 503 }));
    const result = this.#execute(key, JSON.stringify(body));
    await scheduler.turn(worker);
    if (random() < 0.06 || this.#simulation.now - sent > 30_000)
      throw new TimeoutError('the response was lost', fails({ outcome: 'unknown' }));
    if (result === 409)
      throw new PaymentOutcomeUnknownError('409', fails({ outcome: 'unknown', status: 409 }));
    if (result === 400) throw new BadRequestError('400', fails({ outcome: 'not-executed', status: 400 }));
    return { ...result };
  }

  /** Executes a request. The same key returns the same payment. */
  #execute(key: string, body: string): Payment | 400 | 409 {
    const { random, now } = this.#simulation;
    const { amount } = JSON.parse(body) as { amount: number };
    if (amount === poisoned) return 400;
    const known = this.charges.get(key);
    if (known !== undefined && now - known.since <= keyLifetime) {
      if (known.body !== body) throw new Error(`${key} was sent with another payload.`);
      if (known.state === 'unresolved' && random() < 0.5) return 409;
      known.state = 'created';
      return toPayment(key, known);
    }
    const state = random() < 0.03 ? 'unresolved' : 'created';
    const charge: Charge = {
      id: `payment-${this.made.length}`,
      since: now,
      body,
      status: 'waiting_payment',
      state,
    };
    this.charges.set(key, charge);
    this.made.push(key);
    this.#notify(key, charge);
    if (state === 'unresolved') return 409;
    return toPayment(key, charge);
  }

  /** Lets the customer pay or receive a refund. */
  move(key: string): void {
    const charge = this.charges.get(key);
    if (charge === undefined || charge.status === 'refunded') return;
    charge.status = charge.status === 'paid' ? 'refunded' : 'paid';
    this.#notify(key, charge);
  }

  #notify(key: string, charge: Charge): void {
    const event = {
      event: `transaction.${charge.status}`,
      ...toPayment(key, charge),
    } as unknown as WebhookEvent;
    this.events.push({ key, event });
  }
}

const poisoned = 1313;

const owner = { baseUrl: 'https://platform.example', clientId: 'shop' };
const merchant = await computeMerchant(owner);

const toPayment = (key: string, { id, status }: Charge): Payment =>
  ({ id, status, amount: 1990, paymentMethod: 'pix', externalReference: key }) as Payment;

const ranks: Readonly<Record<PaymentRow['state'], number>> = {
  recorded: 0,
  blocked: 0,
  sending: 0,
  unknown: 0,
  failed: 1,
  given_up: 1,
  in_doubt: 1,
  settled: 2,
};

/** Simulates a number of orders, four workers and every failure between them. */
export class Simulation {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly platform: Platform;
  now = Date.UTC(2026, 0, 1);
  kills = 0;
  /** Returns the time by the clock of the worker that calls the store. */
  #clock = () => this.now;
  readonly #store = memoryPayments({ now: () => this.#clock() });
  readonly #workers: Worker[] = [];
  /** The keys whose callers know that the payment is recorded. */
  readonly #acknowledged = new Set<string>();

  constructor(random: Random) {
    this.random = random;
    this.scheduler = new Scheduler(random);
    this.platform = new Platform(this);
    for (let index = 0; index < 4; index++) this.#workers.push(new Worker(this));
  }

  /** Wraps the store in a network that loses requests and responses. */
  createStore(worker: Worker): PaymentStore {
    const lossy =
      <Args extends unknown[], Result>(step: (...args: Args) => Result) =>
      async (...args: Args): Promise<Awaited<Result>> => {
        await this.scheduler.turn(worker);
        if (this.random() < 0.015) throw outage();
        this.#clock = worker.clock;
        const result = await step(...args);
        if (this.random() < 0.015) throw outage();
        return result;
      };
    const store = this.#store;
    return {
      insert: lossy((row) => store.insert(row)),
      find: lossy((of, key) => store.find(of, key)),
      findByPayment: lossy((of, id, reference) => store.findByPayment(of, id, reference)),
      claim: lossy((claim) => store.claim(claim)),
      update: lossy((id, change) => {
        const before = store.find(id.merchant, id.key) as PaymentRow;
        const isChanged = store.update(id, change) as boolean;
        if (isChanged) this.#checkMove(before, store.find(id.merchant, id.key) as PaymentRow);
        return isChanged;
      }),
      erase: lossy((id, reduced) => store.erase(id, reduced)),
      list: lossy((filter) => store.list(filter)),
      listErasable: lossy((...values) => store.listErasable(...values)),
      counts: lossy((of) => store.counts(of)),
      adopt: lossy((of, former) => store.adopt(of, former)),
    };
  }

  /** Places the orders, runs until no order is open, and returns the number of steps. */
  async run(orders: number, maxSteps: number): Promise<number> {
    const { random, scheduler } = this;
    const waiting = Array.from({ length: orders }, (_, index) => `order-${index}`);
    while (waiting.length > 0 || !this.#isSettled()) {
      for (let turn = 0; turn < 100; turn++)
        await this.#happen(waiting, `order-${Math.floor(random() * orders)}`);
      if (scheduler.failure !== undefined) throw scheduler.failure;
      if (scheduler.steps > maxSteps) throw new Error(`After ${scheduler.steps} steps there are open rows.`);
    }
    while (scheduler.waiting > 0) await scheduler.step();
    if (scheduler.failure !== undefined) throw scheduler.failure;
    this.#judge(orders);
    return scheduler.steps;
  }

  /** Starts one random event, unless too many are already in progress. */
  async #happen(waiting: string[], key: string): Promise<void> {
    const { random, scheduler } = this;
    this.now += random() < 0.001 ? 10 * minute * random() : 2_000 * random();
    const chance = scheduler.waiting > 30 ? 1 : random();
    const worker = this.#worker();
    if (chance < 0.1 && waiting.length > 0) await this.#place(worker, waiting.pop() as string);
    else if (chance < 0.3) await scheduler.start(() => worker.payments.settleDue({ limit: 1 }));
    else if (chance < 0.32) await this.#notify(worker);
    else if (chance < 0.325) this.platform.move(key);
    else if (chance < 0.33) await this.#place(worker, key);
    else if (chance < 0.335) await this.#kill(worker);
    else if (scheduler.waiting > 0) await scheduler.step();
  }

  #worker(): Worker {
    return this.#workers[Math.floor(this.random() * this.#workers.length)] as Worker;
  }

  /** Records an order as a shop does, and retries after a failure. */
  async #place(worker: Worker, key: string): Promise<void> {
    const payment = { ...order, amount: key.endsWith('99') ? poisoned : 1990 };
    const isNow = this.random() < 0.5 && this.#store.find(merchant, key) === undefined;
    await this.scheduler.start(async () => {
      try {
        if (isNow) await worker.payments.create(payment, { key });
        else await worker.payments.enqueue(payment, { key });
        this.#acknowledged.add(key);
      } catch (error) {
        if (isCrash(error)) throw error;
        const state = (error as { record?: { state: string } }).record?.state;
        if (state !== undefined) this.#acknowledged.add(key);
      }
    });
  }

  /** Delivers any notification, in any order and any number of times. */
  async #notify(worker: Worker): Promise<void> {
    const { events } = this.platform;
    const delivery = events[Math.floor(this.random() * events.length)];
    if (delivery !== undefined) await this.scheduler.start(() => worker.payments.observe(delivery.event));
  }

  async #kill(worker: Worker): Promise<void> {
    this.kills++;
    await this.scheduler.kill(worker);
    this.#workers[this.#workers.indexOf(worker)] = new Worker(this);
  }

  #isSettled(): boolean {
    const counts = this.#store.counts(merchant) as readonly { readonly state: DurableState }[];
    return counts.every(({ state }) => ranks[state] > 0);
  }

  /** Checks that a row's state never moves backwards. */
  #checkMove(before: PaymentRow, after: PaymentRow): void {
    if (ranks[after.state] < ranks[before.state] || after.revision !== before.revision + 1)
      throw new Error(`${after.key} went from ${before.state} to ${after.state}.`);
    if (
      before.state === 'settled' &&
      (readRank(after) < readRank(before) || after.paymentId !== before.paymentId)
    )
      throw new Error(`${after.key} went back from ${before.payment} to ${after.payment}.`);
  }

  #judge(orders: number): void {
    const { charges, made } = this.platform;
    if (new Set(made).size !== made.length) throw new Error('A key was charged twice.');
    for (let index = 0; index < orders; index++) {
      const key = `order-${index}`;
      const row = this.#store.find(merchant, key) as PaymentRow | undefined;
      const charge = charges.get(key);
      if (row === undefined && (charge !== undefined || this.#acknowledged.has(key)))
        throw new Error(`${key} was lost.`);
      if (row?.state === 'settled' && row.paymentId !== charge?.id)
        throw new Error(`${key} is settled with ${row.paymentId}, and its charge is ${charge?.id}.`);
      if (row?.state === 'failed' && charge !== undefined)
        throw new Error(`${key} has failed, and is charged.`);
      if (row?.state === 'given_up' && row.deadline - skew > this.now)
        throw new Error(`${key} was given up too early.`);
    }
  }
}

const readRank = ({ payment }: PaymentRow): number =>
  statusRanks[(JSON.parse(payment ?? '{}') as { status: keyof typeof statusRanks }).status];
