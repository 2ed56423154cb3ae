import { createInstruments, type Meter, type ObservableCallback, type TelemetryApi } from './api.js';
import { keyAttribute } from './calls.js';
import { ignoringErrors, inSpan } from './in-span.js';

/** The histogram's bounds in seconds, from an immediate response to a payment that took a day. */
const pursuitBuckets = [0.1, 0.5, 1, 5, 30, 120, 600, 3_600, 21_600, 86_400];

const create = (meter: Meter) => ({
  ended: meter.createCounter('payment_platform.durable.payments', {
    description: 'Payments that came to a final state, by state.',
    unit: '{payment}',
  }),
  pursuit: meter.createHistogram('payment_platform.durable.pursuit.duration', {
    description: 'From the record of a payment to its final state.',
    unit: 's',
    advice: { explicitBucketBoundaries: pursuitBuckets },
  }),
  open: meter.createObservableGauge('payment_platform.durable.open', {
    description: 'Payments in each state except settled.',
    unit: '{payment}',
  }),
  oldest: meter.createObservableGauge('payment_platform.durable.oldest', {
    description: 'The age of the oldest payment in each state except settled.',
    unit: 's',
  }),
});

/** The payments in one state. `oldest` is in milliseconds. */
interface Counted {
  readonly state: string;
  readonly count: number;
  readonly oldest: number;
}

/** The part of a durable payment's row that is recorded. Times are in milliseconds. */
interface TracedRow {
  readonly key: string;
  readonly state: string;
  readonly attempts: number;
  readonly createdAt: number;
  readonly now: number;
}

/** Traces attempts, and counts final states, with the caller's OpenTelemetry API. */
export class DurableTelemetry {
  readonly #api: TelemetryApi;
  readonly #instruments: (() => ReturnType<typeof create>) | undefined;

  readonly #showsKeys: boolean;

  constructor(api: TelemetryApi, showsKeys: boolean) {
    this.#api = api;
    this.#showsKeys = showsKeys;
    this.#instruments = api.metrics && createInstruments(api.metrics, create);
  }

  /** Runs an attempt in its own span. The span of the client's call is a child of that span. */
  async attempt<Ended extends { readonly row: TracedRow }>(
    row: TracedRow,
    work: () => Promise<Ended>,
  ): Promise<Ended> {
    const attributes = {
      'payment_platform.attempt': row.attempts,
      ...(this.#showsKeys && { [keyAttribute]: row.key }),
    };
    return inSpan(this.#api, 'payments.durable', { attributes }, work, ({ row: { state } }) => ({
      attributes: { 'payment_platform.state': state },
      error: state === 'settled' ? undefined : state,
    }));
  }

  /**
   * Observes the counts of payments whenever the metrics are collected.
   *
   * @returns a function that ends this
   */
  observeOpen(count: () => Promise<readonly Counted[]>): () => void {
    const instruments = ignoringErrors(() => this.#instruments?.());
    let counting: Promise<readonly Counted[]> | undefined;
    // Both gauges of one collection share a count, which reads every open row.
    const countOnce = () => {
      counting ??= count().finally(() => {
        counting = undefined;
      });
      return counting;
    };
    const callbacks: readonly [gauge: 'open' | 'oldest', callback: ObservableCallback][] = [
      ['open', observer(countOnce, (counted) => counted.count)],
      ['oldest', observer(countOnce, (counted) => counted.oldest / 1_000)],
    ];
    for (const [gauge, callback] of callbacks)
      ignoringErrors(() => instruments?.[gauge].addCallback(callback));
    return () => {
      for (const [gauge, callback] of callbacks)
        ignoringErrors(() => instruments?.[gauge].removeCallback(callback));
    };
  }

  /** Records that a payment reached a final state. */
  ended({ state, createdAt, now }: TracedRow): void {
    ignoringErrors(() => {
      const instruments = this.#instruments?.();
      const attributes = { 'payment_platform.state': state };
      instruments?.ended.add(1, attributes);
      instruments?.pursuit.record((now - createdAt) / 1_000, attributes);
    });
  }
}

/** A failing store observes nothing. */
const observer =
  (count: () => Promise<readonly Counted[]>, measure: (counted: Counted) => number): ObservableCallback =>
  async (result) => {
    for (const counted of await count().catch(() => []))
      result.observe(measure(counted), { 'payment_platform.state': counted.state });
  };
