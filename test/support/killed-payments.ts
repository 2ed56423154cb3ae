import { PaymentPlatform } from 'payment-platform';
import {
  createDurableOnboarding,
  createDurablePayments,
  createDurableWithdrawals,
  type PaymentStore,
} from 'payment-platform/durable';
import { requestKeys, withdrawalOf } from './durable-requests.js';
import type { Order, OwnPoint, PaymentProcess } from './kill-points.js';
import { load } from './load.js';
import { pf } from './onboarding.js';
import { atOneAddress, openPlace, type PaymentPlace } from './payment-place.js';
import { pix } from './payments.js';

/** Runs a process that makes payments and kills itself at the given step. */
const { place, platform, does, key, dies } = JSON.parse(process.argv[2] ?? '') as PaymentProcess;

const die = () => process.kill(process.pid, 'SIGKILL');

/** Wraps a store so that the process ends before or after a step. An empty claim does not count. */
const killing = (store: PaymentStore<unknown>, { step, when }: OwnPoint): PaymentStore<unknown> =>
  new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name).bind(target);
      if (name !== step) return method;
      return async (...values: unknown[]) => {
        if (when === 'before') die();
        const result = await method(...values);
        if (!Array.isArray(result) || result.length > 0) die();
        return result;
      };
    },
  });

function paymentsAt(there: PaymentPlace) {
  const opened = openPlace(there);
  const store = dies === undefined ? opened.store : killing(opened.store, dies);
  const client = new PaymentPlatform(platform);
  // The other tests, or many kills, load the machine, so that a process can stand still for seconds.
  const timeout = load === 1 ? 4_000 : 8_000;
  const options = { store, timeout, lease: 3 * timeout, retryDelay: 50 };
  const requests = { ...options, encryptionKeys: requestKeys, onInDoubt: () => undefined };
  const at = atOneAddress(client);
  if (there.requests === 'withdrawals') {
    const withdrawals = createDurableWithdrawals(at, requests);
    return {
      opened,
      payments: {
        create: () => withdrawals.create(withdrawalOf(key), { key }),
        enqueue: (client?: unknown) =>
          withdrawals.enqueue(withdrawalOf(key), { key, ...(client !== undefined && { client }) }),
        run: withdrawals.run,
      },
    };
  }
  if (there.requests === 'onboarding') {
    const onboarding = createDurableOnboarding(at, requests);
    return {
      opened,
      payments: {
        create: () => onboarding.submitPf(pf, { key }),
        enqueue: (client?: unknown) =>
          onboarding.enqueuePf(pf, { key, ...(client !== undefined && { client }) }),
        run: onboarding.run,
      },
    };
  }
  const payments = createDurablePayments(at, options);
  return {
    opened,
    payments: {
      create: () => payments.create(pix, { key }),
      enqueue: (client?: unknown) => payments.enqueue(pix, { key, ...(client !== undefined && { client }) }),
      run: payments.run,
    },
  };
}

const endWithTheTest = () => process.on('disconnect', () => process.exit());

/** Runs the tables from its orders until an order stops them. */
function serve(): void {
  endWithTheTest();
  const stops = new Map<string, () => Promise<unknown>>();
  process.on('message', (order: Order) => {
    if ('run' in order) {
      const { opened, payments } = paymentsAt(order.run);
      const controller = new AbortController();
      const running = payments.run({ signal: controller.signal, pollInterval: 20 });
      stops.set(order.run.table, async () => {
        controller.abort();
        await running;
        await opened.close();
      });
    } else void stops.get(order.stop.table)?.();
  });
  process.send?.('ready');
}

async function enqueueInTransaction(): Promise<void> {
  const { opened, payments } = paymentsAt(place);
  await opened.inTransaction(async (client) => {
    await payments.enqueue(client);
    if (dies?.step === 'COMMIT' && dies.when === 'before') die();
  });
  die();
}

const work: Readonly<Record<PaymentProcess['does'], () => unknown>> = {
  create: () => paymentsAt(place).payments.create(),
  enqueue: () => paymentsAt(place).payments.enqueue(),
  'enqueue in a transaction': enqueueInTransaction,
  run: () => {
    endWithTheTest();
    return paymentsAt(place).payments.run({ concurrency: 1, pollInterval: 20 });
  },
  serve,
};

await work[does]();
