import { once } from 'node:events';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type PaymentStore } from 'payment-platform/durable';
import { atOneAddress, openPlace, type PaymentPlace } from './payment-place.js';

/**
 * A process that settles one payment and is suspended meanwhile with SIGSTOP. Durations are in milliseconds.
 */
export interface StoppedProcess {
  readonly place: PaymentPlace;
  readonly platform: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
  /** Whether the process suspends itself when its claim has returned. */
  readonly stopsAfterClaim: boolean;
  readonly timeout: number;
  readonly lease: number;
}

const { place, platform, stopsAfterClaim, timeout, lease } = JSON.parse(
  process.argv[2] ?? '',
) as StoppedProcess;

const stopping = (store: PaymentStore<unknown>): PaymentStore<unknown> =>
  new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name).bind(target);
      if (name !== 'claim') return method;
      return async (...values: unknown[]) => {
        const rows = await method(...values);
        process.kill(process.pid, 'SIGSTOP');
        return rows;
      };
    },
  });

const { store, close } = openPlace(place);
const payments = createDurablePayments(atOneAddress(new PaymentPlatform({ ...platform, maxRetries: 0 })), {
  store: stopsAfterClaim ? stopping(store) : store,
  timeout,
  lease,
  onError: () => undefined,
});
process.send?.('ready');
await once(process, 'message');
await payments.settleDue();
await close();
process.disconnect();
