import { type FailedOperation, isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { version } from '../version.js';
import {
  type Attributes,
  createInstruments,
  type Meter,
  type MetricsApi,
  type Span,
  scopeName,
  spanKindClient,
  spanStatusError,
  type TelemetryApi,
} from './api.js';
import { ignoringErrors, runExactlyOnce } from './in-span.js';

export interface SpanSource {
  readonly api: TelemetryApi;
  readonly measurements: MetricsRecorder | undefined;
  readonly startSpan: (name: string, attributes: Attributes, context: unknown) => Span | undefined;
  readonly attributes: Attributes;
  readonly call: FailedOperation;
  /** Measurements never show a key, because each key would be a new time series. */
  readonly shownKey: string | undefined;
}

export const keyAttribute = 'payment_platform.idempotency_key';

const toContext = ({ trace }: TelemetryApi, span: Span | undefined, parent: unknown) =>
  span === undefined ? parent : (ignoringErrors(() => trace.setSpan(parent, span)) ?? parent);

function endSpan(span: Span | undefined, attributes: Attributes, errorType: string | undefined): void {
  if (span === undefined) return;
  ignoringErrors(() => span.setAttributes(attributes));
  if (errorType !== undefined)
    ignoringErrors(() => span.setStatus({ code: spanStatusError, message: errorType }));
  ignoringErrors(() => span.end());
}

/** The span and the measurements of one call. */
export class CallSpan {
  readonly #source: SpanSource;
  readonly #started = performance.now();
  readonly #span: Span | undefined;
  readonly #context: unknown;
  #attempt: Span | undefined;
  #attempts = 0;
  #status: number | undefined;
  #errorType = '';
  #retryReason: string | undefined;

  constructor(source: SpanSource) {
    this.#source = source;
    const parent = ignoringErrors(() => source.api.context.active());
    const { attributes, shownKey } = source;
    const shown = { ...attributes, ...(shownKey !== undefined && { [keyAttribute]: shownKey }) };
    this.#span = source.startSpan(source.call.operation, shown, parent);
    this.#context = toContext(source.api, this.#span, parent);
  }

  /** Runs a call while its span is active, and ends the span with the call. */
  async observe<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await runExactlyOnce((once) => this.#source.api.context.with(this.#context, once), work);
      this.#end('executed', undefined);
      return result;
    } catch (error) {
      if (isPaymentPlatformError(error)) this.#end(error.outcome, error);
      else this.#end('unknown', undefined);
      throw error;
    }
  }

  /** Sends the next attempt's request, with the trace headers, while the attempt's span is active. */
  attempt<Result>(send: (headers: Record<string, string>) => Promise<Result>): Promise<Result> {
    const resends = this.#attempts++;
    const reason = this.#retryReason;
    this.#retryReason = undefined;
    const { api, call, attributes, startSpan } = this.#source;
    this.#attempt = startSpan(
      `${call.method} ${call.path}`,
      {
        ...attributes,
        'payment_platform.attempt': this.#attempts,
        ...(resends > 0 && { 'http.request.resend_count': resends }),
        ...(reason !== undefined && { 'payment_platform.retry.reason': reason }),
      },
      this.#context,
    );
    const context = toContext(api, this.#attempt, this.#context);
    return runExactlyOnce(
      (once) => api.context.with(context, once),
      () => send(traceHeaders(api, context)),
    );
  }

  /** Ends an attempt's span. `status` is undefined if no response headers arrived. */
  endAttempt(status: number | undefined, errorType: string | undefined): void {
    const attributes: Attributes = {
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    };
    endSpan(this.#attempt, attributes, errorType);
    this.#attempt = undefined;
    this.#status = status;
    this.#errorType = errorType ?? '';
  }

  /** Records a retry. The reason must not contain secrets. */
  retry(reason: string, delay: number): void {
    this.#retryReason = reason;
    const type = { 'error.type': this.#errorType };
    ignoringErrors(() =>
      this.#span?.addEvent('payment_platform.retry', {
        ...type,
        'payment_platform.retry.reason': reason,
        'payment_platform.retry.delay': delay / 1000,
      }),
    );
    const { measurements, call } = this.#source;
    measurements?.retry({ ...type, 'payment_platform.operation': call.operation });
  }

  #end(outcome: string, error: PaymentPlatformError | undefined): void {
    const status = error === undefined ? this.#status : error.status;
    const ended: Attributes = {
      'payment_platform.outcome': outcome,
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(error !== undefined && { 'error.type': error.name }),
    };
    const attempts = { 'payment_platform.attempts': this.#attempts };
    endSpan(this.#span, { ...ended, ...attempts }, error?.name);
    const { measurements, attributes } = this.#source;
    const { 'url.full': _, ...measured } = attributes;
    measurements?.call((performance.now() - this.#started) / 1000, { ...measured, ...ended });
  }
}

/**
 * Matches headers that continue a trace on another host: W3C and B3. `baggage` does not match, because it can
 * contain any data of the application, even personal data, and would be sent to another company.
 */
const traceHeader = /^(?:traceparent|tracestate|b3|x-b3-(?:traceid|spanid|parentspanid|sampled|flags))$/;

const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/;

/** The headers are empty unless a propagator is registered. */
function traceHeaders({ propagation }: TelemetryApi, context: unknown): Record<string, string> {
  const carrier: Record<string, unknown> = {};
  ignoringErrors(() => propagation?.inject(context, carrier));
  return ignoringErrors(() => traceHeadersIn(carrier)) ?? {};
}

function traceHeadersIn(carrier: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(carrier)) {
    const lower = name.toLowerCase();
    if (traceHeader.test(lower) && typeof value === 'string' && headerValue.test(value)) found[lower] = value;
  }
  return found;
}

/** Traces and measures the calls of one client, with the caller's OpenTelemetry API. */
export class CallTelemetry {
  readonly #api: TelemetryApi;
  readonly #baseUrl: URL;
  readonly #measurements: MetricsRecorder | undefined;
  readonly #showsKeys: boolean;

  constructor(api: TelemetryApi, baseUrl: URL, showsKeys: boolean) {
    this.#showsKeys = showsKeys;
    this.#api = api;
    this.#baseUrl = baseUrl;
    this.#measurements = api.metrics === undefined ? undefined : new MetricsRecorder(api.metrics);
  }

  /** Starts a call's span. Attributes are named as in the HTTP semantic conventions. */
  call(call: FailedOperation, idempotencyKey?: string): CallSpan {
    const { origin, hostname, port, protocol, pathname } = this.#baseUrl;
    const attributes: Attributes = {
      'payment_platform.operation': call.operation,
      'http.request.method': call.method,
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      'url.template': call.path,
      // The URL contains placeholders instead of ids, and no query, because ids identify persons and a query
      // can contain secrets.
      'url.full': `${origin}${pathname.replace(/\/$/, '')}${call.path}`,
    };
    const { trace } = this.#api;
    return new CallSpan({
      api: this.#api,
      measurements: this.#measurements,
      attributes,
      call,
      shownKey: this.#showsKeys ? idempotencyKey : undefined,
      startSpan: (name, attributes, context) =>
        ignoringErrors(() => {
          const span = trace
            .getTracer(scopeName, version)
            .startSpan(name, { kind: spanKindClient, attributes }, context);
          // Ignores a tracer that returns no span, because every later step would fail.
          return typeof span === 'object' && span !== null ? span : undefined;
        }),
    });
  }
}

/** The histogram's bounds in seconds, from a quick response to a call with long waits. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const create = (meter: Meter) => ({
  duration: meter.createHistogram('payment_platform.client.call.duration', {
    description: 'Duration of each call, including waits, attempts and the response body.',
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

export class MetricsRecorder {
  readonly #current: () => ReturnType<typeof create>;

  constructor(metrics: MetricsApi) {
    this.#current = createInstruments(metrics, create);
  }

  call(seconds: number, attributes: Attributes): void {
    ignoringErrors(() => {
      const { duration, calls } = this.#current();
      duration.record(seconds, attributes);
      calls.add(1, attributes);
    });
  }

  retry(attributes: Attributes): void {
    ignoringErrors(() => this.#current().retries.add(1, attributes));
  }
}
