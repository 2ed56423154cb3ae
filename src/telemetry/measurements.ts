import { version } from '../version.js';
import { type Attributes, type MetricsApi, scopeName } from './api.js';
import { safely } from './safely.js';

/** Seconds: from a quick answer to a call that waits for a token, retries and rate limits. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface Instruments {
  readonly provider: object;
  readonly duration: { record(value: number, attributes?: Attributes): void };
  readonly calls: { add(value: number, attributes?: Attributes): void };
  readonly retries: { add(value: number, attributes?: Attributes): void };
}

/** The measurements of a client. */
export class Measurements {
  readonly #metrics: MetricsApi;
  #instruments: Instruments | undefined;

  constructor(metrics: MetricsApi) {
    this.#metrics = metrics;
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

  /** The instruments of the provider that is registered now: before there is one, the API gives ones that do nothing. */
  #current(): Instruments {
    const provider = this.#metrics.getMeterProvider();
    if (this.#instruments?.provider !== provider) this.#instruments = this.#create(provider);
    return this.#instruments;
  }

  #create(provider: object): Instruments {
    const meter = this.#metrics.getMeter(scopeName, version);
    return {
      provider,
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
    };
  }
}
