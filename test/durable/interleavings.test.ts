import { type Payment, TimeoutError, type WebhookEvent } from 'payment-platform';
import {
  createDurablePayments,
  type DurablePayments,
  memoryPayments,
  type PaymentRow,
  type PaymentStore,
} from 'payment-platform/durable';
import { describe, expect, test } from 'vitest';
import { statusRanks } from '../../src/contract/events.js';
import { computeMerchant } from '../../src/durable/merchant-store.js';
import { order } from '../support/durable.js';
import { combinations, explore, type Incident, type Stepper, World } from '../support/explore.js';

const key = 'order-1042';
const owner = { baseUrl: 'https://platform.example', clientId: 'shop' };
const merchant = await computeMerchant(owner);
const ranks = {
  recorded: 0,
  blocked: 0,
  sending: 0,
  unknown: 0,
  failed: 1,
  given_up: 1,
  in_doubt: 1,
  settled: 2,
};

const readRank = ({ payment }: PaymentRow) =>
  payment === null ? 0 : statusRanks[(JSON.parse(payment) as Payment).status as keyof typeof statusRanks];

/** A shop records an order in one process, another process sends due payments, and the customer pays. */
class Shop extends World {
  readonly lease = 60_000;
  readonly #store: PaymentStore;
  /** The payments that the platform has made with the key. */
  readonly #made: Payment[] = [];
  /** The calls that wait for a response, including the calls of a dead process. */
  readonly #sending = new Set<object>();
  /** Whether the shop knows that the payment is recorded. */
  #isKnown = false;
  #deliveries = 0;
  #isAcknowledged = false;

  /** @param damage plants a defect in the store */
  constructor(possible: readonly Incident[], damage: (store: PaymentStore) => void = () => undefined) {
    super(possible);
    this.#store = memoryPayments({ now: () => this.now });
    damage(this.#store);
    this.start('shop', async (step) => {
      await this.#createPayments(step).create(order, { key });
      this.#isKnown = true;
    });
    this.start('worker', async (step) => {
      const payments = this.#createPayments(step);
      await payments.settleDue();
      await payments.settleDue();
    });
  }

  override steps() {
    const canPay = this.#made.length > 0 && this.#deliveries === 0;
    return [...super.steps(), ...(canPay ? [{ label: 'the customer pays', run: () => this.#pay() }] : [])];
  }

  #pay(): void {
    this.#made[0] = { ...(this.#made[0] as Payment), status: 'paid' };
    this.#deliver();
  }

  /** Delivers the notification to another process of the receiver. */
  #deliver(): void {
    const event = { event: 'transaction.paid', ...this.#made[0] } as unknown as WebhookEvent;
    this.#deliveries++;
    this.start(`receiver ${this.#deliveries}`, async (step) => {
      const { outcome } = await this.#createPayments(step).observe(event);
      this.#isAcknowledged = outcome === 'applied';
      return outcome;
    });
  }

  #createPayments(step: Stepper): DurablePayments {
    const wrap =
      <Args extends unknown[], Result>(label: string, method: (...args: Args) => Result | Promise<Result>) =>
      (...args: Args) =>
        step(label, () => method(...args));
    const store = this.#store;
    const steps: PaymentStore = {
      insert: wrap('insert', (row) => store.insert(row)),
      find: wrap('find', (of, wanted) => store.find(of, wanted)),
      findByPayment: wrap('findByPayment', (of, id, reference) => store.findByPayment(of, id, reference)),
      claim: wrap('claim', (claim) => store.claim(claim)),
      update: wrap('update', (id, change) => {
        const before = store.find(id.merchant, id.key) as PaymentRow;
        const isChanged = store.update(id, change);
        this.#checkMove(before, store.find(id.merchant, id.key) as PaymentRow);
        return isChanged;
      }),
      counts: (of) => store.counts(of),
      // The tasks never call these methods.
      erase: (id, reduced) => store.erase(id, reduced),
      list: (filter) => store.list(filter),
      listErasable: (...values) => store.listErasable(...values),
      adopt: (of, former) => store.adopt(of, former),
    };
    const call = async (body: object, options: { idempotencyKey: string }) => {
      try {
        await step('send', () => {
          if (this.#sending.size > 0 && this.now <= this.lease)
            this.broken ??= new Error('Two processes send the payment at the same time, within a lease.');
          this.#sending.add(call);
        });
        return await step('receive', () => this.#execute(body as { amount: number }));
      } catch {
        const { idempotencyKey } = options;
        throw new TimeoutError('the response was lost', { idempotencyKey, outcome: 'unknown' });
      } finally {
        this.#sending.delete(call);
      }
    };
    const client = { validate: () => undefined, create: call, reconcile: call } as never;
    return createDurablePayments(
      { payments: client, merchant: owner },
      { store: steps, lease: this.lease, timeout: 10_000, onError: () => undefined },
    );
  }

  #execute({ amount }: { amount: number }): Payment {
    if (this.#made.length === 0)
      this.#made.push({
        id: `payment-${this.#made.length}`,
        status: 'waiting_payment',
        amount,
        paymentMethod: 'pix',
        externalReference: key,
      } as Payment);
    return { ...(this.#made[0] as Payment) };
  }

  /** Checks that a row and its payment never move backwards. */
  #checkMove(before: PaymentRow, after: PaymentRow): void {
    if (ranks[after.state] < ranks[before.state] || readRank(after) < readRank(before))
      this.broken ??= new Error(
        `The row went from ${before.state} ${before.payment} to ${after.state} ${after.payment}.`,
      );
  }

  protected state() {
    return [
      this.#store.find(merchant, key),
      this.#made,
      this.#sending,
      this.#deliveries,
      this.#isAcknowledged,
    ];
  }

  async finish(): Promise<void> {
    const find = () => this.#store.find(merchant, key) as PaymentRow | undefined;
    for (let round = 0; round < 8 && ranks[find()?.state ?? 'settled'] === 0; round++) {
      await this.settle();
      this.now += 60 * 60_000;
      this.start(`worker ${round}`, (step) => this.#createPayments(step).settleDue());
      await this.settle();
    }
    if (this.#made.length > 0) expect(find()?.state, 'the state without a notification').toBe('settled');
    if (this.#made.length > 0 && this.#deliveries === 0) this.#pay();
    await this.settle();
    // The platform resends a notification that nobody has acknowledged.
    if (this.#deliveries > 0 && !this.#isAcknowledged) this.#deliver();
    await this.settle();
    const row = find();
    if (row === undefined) {
      if (this.#isKnown || this.#made.length > 0) throw new Error('The payment was lost.');
      return;
    }
    expect(row.state).toBe('settled');
    expect(this.#made).toHaveLength(1);
    expect(row.paymentId).toBe(this.#made[0]?.id);
    expect(JSON.parse(row.payment ?? '{}')).toMatchObject({ status: this.#made[0]?.status });
  }
}

describe('every order of the steps of two workers, a receiver and a customer', () => {
  test.each(combinations)(
    'makes one charge, which the row has, whatever happens: %s',
    { timeout: 900_000 },
    async (_, incidents) => {
      const states = await explore(() => new Shop(incidents));
      console.log(`${states} states of a durable payment`);
      expect(states).toBeGreaterThan(300);
    },
  );

  test('finds an update that ignores the revision', async () => {
    const ignoreRevision = (store: PaymentStore) => {
      const { update } = store;
      store.update = (id, change) => {
        const row = store.find(id.merchant, id.key) as PaymentRow;
        return update.call(store, { ...id, revision: row.revision }, change);
      };
    };
    await expect(explore(() => new Shop(['a lease ends'], ignoreRevision))).rejects.toThrow(
      'After the steps',
    );
  });

  test('finds a claim that ignores the lease', async () => {
    const ignoreLease = (store: PaymentStore) => {
      const { claim } = store;
      store.claim = (options) => {
        const { dueAt } = (store.find(merchant, key) as PaymentRow | undefined) ?? {};
        const rows = claim.call(store, options);
        return dueAt === undefined || dueAt === null ? rows : [store.find(merchant, key) as PaymentRow];
      };
    };
    await expect(explore(() => new Shop([], ignoreLease))).rejects.toThrow('After the steps');
  });
});
