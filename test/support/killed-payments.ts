import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type PaymentStore } from 'payment-platform/durable';
import type { Order, OwnPoint, PaymentProcess } from './kill-points.js';
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
  const payments = createDurablePayments(atOneAddress(client), {
    store,
    timeout: 1_000,
    lease: 3_000,
    retryDelay: 50,
  });
  return { opened, payments };
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
    await payments.enqueue(pix, { key, client });
    if (dies?.step === 'COMMIT' && dies.when === 'before') die();
  });
  die();
}

const work: Readonly<Record<PaymentProcess['does'], () => unknown>> = {
  create: () => paymentsAt(place).payments.create(pix, { key }),
  enqueue: () => paymentsAt(place).payments.enqueue(pix, { key }),
  'enqueue in a transaction': enqueueInTransaction,
  run: () => {
    endWithTheTest();
    return paymentsAt(place).payments.run({ concurrency: 1, pollInterval: 20 });
  },
  serve,
};

await work[does]();
