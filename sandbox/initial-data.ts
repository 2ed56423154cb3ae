import { type OptionReader, type OptionReaders, validIf } from '../src/validation/options.js';
import { isRecord } from '../src/validation/record.js';
import type { Sandbox } from './control/sandbox-interface.js';
import type { EndpointRegistration } from './control/webhooks.js';
import type { DeliveryFaultRule } from './faults/delivery-faults.js';
import type { FaultRule } from './faults/request-faults.js';
import type { MerchantOptions } from './merchants/merchant.js';

/** The data of a new sandbox. `reset()` restores it. */
export interface InitialData {
  /** Additional merchants, with the same options as `addMerchant`. A saved state replaces these merchants. */
  merchants?: readonly MerchantOptions[] | undefined;
  /**
   * The first merchant's webhook endpoints, each with the same options as `webhooks.register`. A saved state
   * replaces these endpoints.
   */
  endpoints?: readonly EndpointRegistration[] | undefined;
  /** Request faults, with the same options as `faults.add`. */
  faults?: readonly FaultRule[] | undefined;
  /** Delivery faults, with the same options as `webhooks.faults.add`. */
  deliveryFaults?: readonly DeliveryFaultRule[] | undefined;
}

const listReader = <Item>(what: string): OptionReader<readonly Item[]> =>
  validIf((value) => Array.isArray(value) && value.every(isRecord), `must be a list of ${what}`);

export const initialDataReaders: OptionReaders<InitialData> = {
  merchants: listReader('merchants, such as [{ "clientId": "shop-2" }]'),
  endpoints: listReader('endpoints, such as [{ "url": "http://127.0.0.1:3000/webhooks" }]'),
  faults: listReader('faults, such as [{ "operation": "payments.create", "fault": "reset" }]'),
  deliveryFaults: listReader('faults of deliveries, such as [{ "fault": "drop" }]'),
};

type Target = Pick<Sandbox, 'addMerchant' | 'webhooks' | 'faults'>;

/** @throws TypeError for an invalid item, with its position */
export function addInitialData(sandbox: Target, { merchants, endpoints }: InitialData): void {
  addEach('merchants', merchants, (merchant) => sandbox.addMerchant(merchant));
  addEach('endpoints', endpoints, (endpoint) => sandbox.webhooks.register(endpoint));
}

/** @throws TypeError for an invalid item, with its position */
export function addFaults(sandbox: Target, { faults, deliveryFaults }: InitialData): void {
  addEach('faults', faults, (rule) => sandbox.faults.add(rule));
  addEach('deliveryFaults', deliveryFaults, (rule) => sandbox.webhooks.faults.add(rule));
}

function addEach<Item>(name: string, items: readonly Item[] = [], add: (item: Item) => unknown): void {
  for (const [index, item] of items.entries()) {
    try {
      add(item);
    } catch (cause) {
      const reason = (cause as Error).message.replace(/^[\w.]+: /, '');
      throw new TypeError(`createSandbox: ${name}.${index}: ${reason}`, { cause });
    }
  }
}
