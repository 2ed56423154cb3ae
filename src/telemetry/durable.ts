import { createInstruments, type Meter, type TelemetryApi } from './api.js';
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
});

/** The part of a durable payment's row that is recorded. Times are in milliseconds. */
interface TracedRow {
  readonly state: string;
  readonly attempts: number;
  readonly createdAt: number;
  readonly now: number;
}

/** Traces attempts, and counts final states, with the caller's OpenTelemetry API. */
export class DurableTelemetry {
  readonly #api: TelemetryApi;
  readonly #instruments: (() => ReturnType<typeof create>) | undefined;

  constructor(api: TelemetryApi) {
    this.#api = api;
    this.#instruments = api.metrics && createInstruments(api.metrics, create);
  }

  /** Runs an attempt in its own span. The span of the client's call is a child of that span. */
  async attempt<Ended extends { readonly row: TracedRow }>(
    row: TracedRow,
    work: () => Promise<Ended>,
  ): Promise<Ended> {
    const attributes = { 'payment_platform.attempt': row.attempts };
    return inSpan(this.#api, 'payments.durable', { attributes }, work, ({ row: { state } }) => ({
      attributes: { 'payment_platform.state': state },
      error: state === 'settled' ? undefined : state,
    }));
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
