import { transactionEvents } from '../contract/events.js';
import { type Attributes, createInstruments, type Meter, type TelemetryApi } from './api.js';
import { ignoringErrors, inSpan } from './in-span.js';

/** `SpanKind.CONSUMER` of the API. */
const consumerKind = 4;

/** In seconds, from the time for a duplicate to the 30 seconds that the platform waits. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

const create = (meter: Meter) => ({
  active: meter.createUpDownCounter('payment_platform.webhooks.active_deliveries', {
    description: 'Deliveries in progress.',
    unit: '{delivery}',
  }),
  deliveries: meter.createCounter('payment_platform.webhooks.deliveries', {
    description: 'Deliveries by event and outcome.',
    unit: '{delivery}',
  }),
  duration: meter.createHistogram('payment_platform.webhooks.duration', {
    description: 'Duration of deliveries.',
    unit: 's',
    advice: { explicitBucketBoundaries: durationBuckets },
  }),
});

/** Unknown names are not recorded, because each would create another time series. */
const isKnown = (name: string) => (transactionEvents as readonly string[]).includes(name);

interface Received {
  readonly outcome: string;
  readonly status: number;
  readonly reason?: string | undefined;
  readonly event?: { readonly event: string } | undefined;
}

/** Traces and measures deliveries with the caller's OpenTelemetry API. */
export class DeliveryTelemetry {
  readonly #api: TelemetryApi;
  readonly #instruments: (() => ReturnType<typeof create>) | undefined;

  constructor(api: TelemetryApi) {
    this.#api = api;
    this.#instruments = api.metrics && createInstruments(api.metrics, create);
  }

  /** Handles a delivery in its own span, a child of the HTTP request's span. */
  async observe<Result extends Received>(work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const active = ignoringErrors(() => this.#instruments?.().active);
    ignoringErrors(() => active?.add(1));
    const result = await inSpan(this.#api, 'webhooks.receive', { kind: consumerKind }, work, (ended) => ({
      attributes: { ...measured(ended), ...(ended.reason !== undefined && { 'error.type': ended.reason }) },
      error: ended.status >= 500 ? ended.outcome : undefined,
    }));
    ignoringErrors(() => {
      active?.add(-1);
      const instruments = this.#instruments?.();
      instruments?.deliveries.add(1, measured(result));
      instruments?.duration.record((performance.now() - started) / 1000, measured(result));
    });
    return result;
  }
}

const measured = ({ outcome, status, event }: Received): Attributes => ({
  'payment_platform.outcome': outcome,
  'http.response.status_code': status,
  ...(event !== undefined && { 'payment_platform.event': isKnown(event.event) ? event.event : 'other' }),
});
