import type { ControlClient } from '../control-client.js';
import { journeys } from './journeys.js';
import { PlatformSide } from './platform-side.js';
import { type Method, methods, Shop, type ShopDescription } from './shop.js';
import { Trial } from './trial.js';

/** The result of one journey. */
export interface JourneyResult {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  /** The expected behaviour, or why the journey was skipped. */
  readonly message: string;
  readonly problems: readonly string[];
  /** The page that says how to do it. */
  readonly page: string;
}

/** The settings of a check. */
export interface IntegrationSettings extends ShopDescription {
  /** The price of each order in cents. */
  readonly amount: number;
  readonly isQueued: boolean;
  /** The shop's webhook secret. */
  readonly secret: string;
}

/**
 * Drives a shop through the journeys, as its customer, the customer's bank and the platform. The shop must use
 * the sandbox, and nobody else may use it meanwhile. Rejects with the signal's reason if the signal aborts.
 */
export async function checkIntegration(
  client: ControlClient,
  { amount, isQueued, secret, ...description }: IntegrationSettings,
  {
    onResult,
    signal,
  }: { onResult?: ((result: JourneyResult) => void) | undefined; signal?: AbortSignal } = {},
): Promise<JourneyResult[]> {
  const shop = new Shop(description);
  const platform = new PlatformSide(client, secret);
  const taken = methods.filter((method) => description.orders[method] !== undefined);
  const results: JourneyResult[] = [];
  let hasOrdered = false;
  try {
    await platform.open();
    for (const { name, expected, page, methods: usable = methods, repeatsOrders = false, run } of journeys) {
      const chosen = usable.find((method) => taken.includes(method));
      const missing =
        chosen === undefined
          ? `it needs an order with ${usable.join(' or ')}`
          : results.length > 0 && !hasOrdered
            ? 'the first order made no payment'
            : repeatsOrders && !shop.repeats(chosen) && 'it needs {order} in the order, to repeat it';
      const trial = new Trial(shop, platform, amount, isQueued);
      if (!missing) await untilAborted(run(trial, chosen as Method), signal);
      hasOrdered ||= trial.hasPayment;
      const status = missing ? 'skipped' : trial.problems.length === 0 ? 'ok' : 'failed';
      const result = {
        name,
        status,
        message: missing || expected,
        problems: [...new Set(trial.problems)],
        page,
      } as const;
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await platform.close();
  }
  return results;
}

/** Waits for a journey, or rejects as soon as the signal aborts. */
async function untilAborted(journey: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return journey;
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  journey.catch(() => undefined);
  await Promise.race([journey, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
