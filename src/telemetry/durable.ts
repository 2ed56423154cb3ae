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

/** The rows of one merchant in one table. */
export interface CountedRows {
  /** The store, as the caller created it. */
  readonly table: object;
  readonly merchant: string;
  count(): Promise<readonly Counted[]>;
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
  observeOpen(rows: CountedRows): () => void {
    const { metrics } = this.#api;
    const stop = ignoringErrors(() => {
      const provider = metrics?.getMeterProvider();
      const instruments = this.#instruments?.();
      if (provider === undefined || instruments === undefined) return undefined;
      const gauges = openGauges.get(provider) ?? new OpenGauges(instruments);
      openGauges.set(provider, gauges);
      return gauges.observe(rows);
    });
    return () => ignoringErrors(() => stop?.());
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

/**
 * Observes the sums of all workers with the same meter provider, because a gauge keeps only the last
 * value of each state. Attributes with a merchant would show its client id.
 */
class OpenGauges {
  readonly #instruments: Pick<ReturnType<typeof create>, 'open' | 'oldest'>;
  readonly #observed = new Set<CountedRows>();
  readonly #callbacks: readonly (readonly [gauge: 'open' | 'oldest', callback: ObservableCallback])[] = [
    ['open', this.#observer(({ count }) => count)],
    ['oldest', this.#observer(({ oldest }) => oldest / 1_000)],
  ];
  readonly #states = new Set<string>();
  #counting: Promise<readonly Counted[]> | undefined;

  constructor(instruments: Pick<ReturnType<typeof create>, 'open' | 'oldest'>) {
    this.#instruments = instruments;
  }

  /** Returns a function that ends this. */
  observe(rows: CountedRows): () => void {
    if (this.#observed.size === 0)
      for (const [gauge, callback] of this.#callbacks) this.#instruments[gauge].addCallback(callback);
    this.#observed.add(rows);
    return () => {
      this.#observed.delete(rows);
      if (this.#observed.size === 0)
        for (const [gauge, callback] of this.#callbacks) this.#instruments[gauge].removeCallback(callback);
    };
  }

  #observer(measure: (counted: Counted) => number): ObservableCallback {
    return async (result) => {
      // Both gauges of one collection share a count, which reads every open row.
      this.#counting ??= this.#count().finally(() => {
        this.#counting = undefined;
      });
      for (const counted of await this.#counting)
        result.observe(measure(counted), { 'payment_platform.state': counted.state });
    };
  }

  async #count(): Promise<readonly Counted[]> {
    const tables = new Map<object, Map<string, CountedRows>>();
    for (const rows of this.#observed) {
      const merchants = tables.get(rows.table) ?? new Map<string, CountedRows>();
      tables.set(rows.table, merchants.set(rows.merchant, rows));
    }
    const counted = await Promise.all([...tables.values()].map(countTable));
    const sums = new Map<string, Counted>();
    for (const { state, count, oldest } of counted.flat()) {
      const sum = sums.get(state) ?? { count: 0, oldest: 0 };
      sums.set(state, { state, count: sum.count + count, oldest: Math.max(sum.oldest, oldest) });
    }
    // Without a zero, a gauge keeps the state's last value, and its alert lasts until a restart.
    for (const state of sums.keys()) this.#states.add(state);
    return Array.from(this.#states, (state) => sums.get(state) ?? { state, count: 0, oldest: 0 });
  }
}

const openGauges = new WeakMap<object, OpenGauges>();

/**
 * Each merchant of a table counts the others' due rows as foreign. The lowest of these counts is the closest to the
 * rows that no worker of this process sends. A failing store observes nothing.
 */
async function countTable(merchants: ReadonlyMap<string, CountedRows>): Promise<readonly Counted[]> {
  const results = await Promise.all(
    [...merchants.values()].map(async ({ count }) => count().catch(() => undefined)),
  );
  const counted = results.filter((result) => result !== undefined);
  const foreign = counted.map((states) => states.find(({ state }) => state === 'foreign'));
  const [lowest] = foreign.sort((a, b) => (a?.count ?? 0) - (b?.count ?? 0));
  const own = counted.flat().filter(({ state }) => state !== 'foreign');
  return lowest === undefined ? own : [...own, lowest];
}
