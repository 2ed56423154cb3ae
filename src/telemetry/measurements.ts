import type { Attributes, MetricsApi } from './api.js';
import { instrumentsOf, type Meter } from './instruments.js';
import { safely } from './safely.js';

/** Seconds: from a quick response to a call that waits for a token, retries and rate limits. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const create = (meter: Meter) => ({
  duration: meter.createHistogram('payment_platform.client.call.duration', {
    description: 'Duration of calls: every wait, every attempt and the body of the answer.',
    unit: 's',
    advice: { explicitBucketBoundaries: durationBuckets },
  }),
  calls: meter.createCounter('payment_platform.client.calls', {
    description: 'Calls by operation and outcome.',
    unit: '{call}',
  }),
  retries: meter.createCounter('payment_platform.client.retries', {
    description: 'Requests that were sent again, by operation and by what went wrong.',
    unit: '{request}',
  }),
});

/** The measurements of a client. */
export class Measurements {
  readonly #current: () => ReturnType<typeof create>;

  constructor(metrics: MetricsApi) {
    this.#current = instrumentsOf(metrics, create);
  }

  /** A call ended. */
  call(seconds: number, attributes: Attributes): void {
    safely(() => {
      const { duration, calls } = this.#current();
      duration.record(seconds, attributes);
      calls.add(1, attributes);
    });
  }

  /** A call is sent again. */
  retry(attributes: Attributes): void {
    safely(() => this.#current().retries.add(1, attributes));
  }
}
