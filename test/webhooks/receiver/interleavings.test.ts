import { type DedupeStore, type DedupeTransaction, memoryDedupe } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { TimeLimit } from '../../../src/validation/time-limit.js';
import { DeliveryHandler } from '../../../src/webhooks/handle-once.js';
import { resolveReceiverOptions } from '../../../src/webhooks/receiver-options.js';
import { explore, type Incident, incidents, type Stepper, World } from '../../support/explore.js';

/** The outcomes that keep the platform from resending the event. */
const acknowledged: readonly unknown[] = ['handled', 'duplicate'];

const id = 'transaction.paid:payment-1';
const digest = 'd'.repeat(64);

/** Two processes receive the same delivery, and the handler takes effect. */
class Receivers extends World {
  readonly lease = 60_000;
  readonly #inTransaction: boolean;
  readonly #store = memoryDedupe();
  #effects = 0;
  #acknowledged = 0;
  /** The calls that changed the store, in order. */
  readonly #log: string[] = [];

  /** @param damage plants a defect in the store */
  constructor(
    inTransaction: boolean,
    possible: readonly Incident[],
    damage: (store: DedupeStore) => void = () => undefined,
  ) {
    super(possible);
    this.#inTransaction = inTransaction;
    damage(this.#store);
    for (const process of ['first', 'second']) this.#receive(process);
  }

  #receive(process: string): void {
    this.start(process, async (step) => {
      const outcome = await this.#createHandler(process, step).run();
      if (acknowledged.includes(outcome)) this.#acknowledged++;
      if (acknowledged.includes(outcome) && this.#effects === 0)
        this.broken ??= new Error('An event was acknowledged and not handled.');
      return outcome;
    });
  }

  #createHandler(process: string, step: Stepper): DeliveryHandler {
    const store = this.#store;
    /** The number of effects that the open transaction has not committed yet. */
    let pending = 0;
    const log = <Result>(name: string, result: Result) => {
      this.#log.push(`${name} ${process}: ${result}`);
      return result;
    };
    const steps: DedupeStore<unknown> = {
      claim: (...args) => step('claim', () => log('claim', store.claim(...args))),
      complete: (...args) => step('complete', () => log('complete', store.complete(...args))),
      release: (...args) => step('release', () => log('release', store.release(...args))),
    };
    const begin = async (): Promise<DedupeTransaction<unknown>> => {
      await step('BEGIN', () => undefined);
      return {
        client: undefined,
        advance: async () => true,
        commit: (...args) =>
          step('COMMIT', () => {
            if (log('complete', store.complete(...args)) === false) return false;
            this.#effects += pending;
            return true;
          }),
        rollback: () => step('ROLLBACK', () => undefined),
      };
    };
    if (this.#inTransaction) steps.begin = begin;
    const handler = async () => {
      await step('handle', () => {
        if (this.#inTransaction) pending++;
        else this.#effects++;
      });
    };
    const options = resolveReceiverOptions({
      secret: 'whsec_0123456789abcdef',
      lease: this.lease,
      dedupe: store,
      onError: () => undefined,
    });
    const handling = {
      options,
      event: { event: 'transaction.paid', id: 'payment-1' } as never,
      delivery: { id, changed: false } as never,
      endpoint: undefined,
      limit: new TimeLimit(30_000),
      choice: { handler, outcome: 'handled' as const },
      done: {},
    };
    return new DeliveryHandler(handling, steps, digest);
  }

  /** How often the handler has taken effect. */
  get effects(): number {
    return this.#effects;
  }

  protected state() {
    return [this.#effects, this.#acknowledged, this.#log];
  }

  async finish(): Promise<void> {
    // The platform resends an event that nobody has acknowledged.
    for (let resend = 0; resend < 3 && this.#acknowledged === 0; resend++) {
      this.now += 2 * this.lease;
      this.#receive(`resend ${resend}`);
      await this.settle();
    }
    expect(this.#acknowledged, 'acknowledged deliveries').toBeGreaterThan(0);
    expect(this.#effects, 'effects').toBeGreaterThan(0);
    if (this.#inTransaction) expect(this.#effects, 'effects').toBe(1);
  }
}

describe.each([
  ['in transaction mode', true],
  ['without a transaction', false],
])('every order of the steps of two processes that receive one delivery, %s', (_, inTransaction) => {
  test(`loses no event${inTransaction ? ', and has one effect' : ''}, whatever happens`, async () => {
    const states = await explore(() => new Receivers(inTransaction, incidents));
    console.log(`${states} states of a delivery`);
    expect(states).toBeGreaterThan(300);
  });

  test('has one effect if nothing fails', async () => {
    await explore(() => new OneEffect(inTransaction, []));
  });
});

class OneEffect extends Receivers {
  override async finish() {
    await super.finish();
    expect(this.effects, 'effects').toBe(1);
  }
}

/** Plants a defect in one method of a store. */
const replace = (method: Partial<DedupeStore>) => (store: DedupeStore) => void Object.assign(store, method);

test.each<readonly [string, () => World]>([
  ['a claim that a second process gets', () => new OneEffect(false, [], replace({ claim: () => 'claimed' }))],
  [
    'a completion by a process without the claim',
    () => new Receivers(true, incidents, replace({ complete: () => true })),
  ],
  ['a claim that never ends', () => new Receivers(true, incidents, keepForever)],
])('every order of the steps finds %s', async (_, create) => {
  await expect(explore(create)).rejects.toThrow('After the steps');
});

/** Lets the claim of a dead process block the id. */
function keepForever(store: DedupeStore): void {
  const { claim } = store;
  let isClaimed = false;
  store.claim = (...args) => {
    const result = isClaimed ? 'busy' : claim.apply(store, args);
    isClaimed = true;
    return result;
  };
}
