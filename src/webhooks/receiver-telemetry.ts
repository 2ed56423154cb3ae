import { errorStatus, scopeName, type TelemetryApi } from '../telemetry/api.js';
import { instrumentsOf, type Meter } from '../telemetry/instruments.js';
import { runOnce, safely } from '../telemetry/safely.js';
import { version } from '../version.js';
import type { ReceiveResult } from './outcome.js';

/** `SpanKind.CONSUMER` of the API. */
const consumerKind = 4;

/** Seconds: from a duplicate to the 30 seconds that the platform waits. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

const create = (meter: Meter) => ({
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

/** Traces and measures deliveries with an OpenTelemetry API that the caller passes. */
export class ReceiverTelemetry {
  readonly #api: TelemetryApi;
  readonly #instruments: (() => ReturnType<typeof create>) | undefined;

  constructor(api: TelemetryApi) {
    this.#api = api;
    this.#instruments = api.metrics && instrumentsOf(api.metrics, create);
  }

  /** Handles a delivery in its own span, a child of the span that is active: the one of the HTTP request. */
  async observe(work: () => Promise<ReceiveResult>): Promise<ReceiveResult> {
    const { trace, context } = this.#api;
    const started = performance.now();
    const parent = safely(() => context.active());
    const span = safely(() =>
      trace.getTracer(scopeName, version).startSpan('webhooks.receive', { kind: consumerKind }, parent),
    );
    const inside = (span && safely(() => trace.setSpan(parent, span))) ?? parent;
    const result = await runOnce((once) => context.with(inside, once), work);
    const { status, outcome, event, reason } = result;
    const measured = {
      'payment_platform.outcome': outcome,
      'http.response.status_code': status,
      // Names that this version does not know could be as many as a sender likes.
      ...(event !== undefined && { 'payment_platform.event': event.event.slice(0, 100) }),
    };
    safely(() => span?.setAttributes({ ...measured, ...(reason !== undefined && { 'error.type': reason }) }));
    if (status >= 500) safely(() => span?.setStatus({ code: errorStatus, message: outcome }));
    safely(() => span?.end());
    safely(() => {
      const instruments = this.#instruments?.();
      instruments?.deliveries.add(1, measured);
      instruments?.duration.record((performance.now() - started) / 1000, measured);
    });
    return result;
  }
}
