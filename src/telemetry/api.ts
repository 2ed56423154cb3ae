import { version } from '../version.js';

/**
 * The parts of `@opentelemetry/api` (version 1) that the SDK uses. Only those members are declared, so that
 * this package's types depend on no other package, and merchants can pass the module itself. The SDK never
 * looks into a context.
 */
export interface TelemetryApi {
  /** Creates the spans. */
  readonly trace: {
    getTracer(name: string, version?: string): Tracer;
    setSpan(context: unknown, span: Span): unknown;
  };
  /** Holds the active span, and activates another one. */
  readonly context: {
    active(): unknown;
    with<Result>(context: unknown, work: () => Result): Result;
  };
  /** Without `metrics` nothing is measured. */
  readonly metrics?: MetricsApi | undefined;
  /** Without `propagation` no trace headers are sent. */
  readonly propagation?:
    | {
        inject(context: unknown, carrier: unknown): void;
      }
    | undefined;
}

/** The attributes of a span, an event or a measurement. */
export type Attributes = Readonly<Record<string, string | number>>;

interface Tracer {
  startSpan(
    name: string,
    options?: { readonly kind?: number; readonly attributes?: Attributes },
    context?: unknown,
  ): Span;
}

/** A span of a trace. */
export interface Span {
  setAttributes(attributes: Attributes): unknown;
  addEvent(name: string, attributes?: Attributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** Provides meters. `getMeterProvider` returns another object once a provider is registered. */
export interface MetricsApi {
  getMeterProvider(): object;
  getMeter(name: string, version?: string): Meter;
}

/** Creates instruments. */
export interface Meter {
  createHistogram(name: string, options?: object): { record(value: number, attributes?: Attributes): void };
  createCounter(name: string, options?: object): { add(value: number, attributes?: Attributes): void };
  createUpDownCounter(name: string, options?: object): { add(value: number, attributes?: Attributes): void };
  createObservableGauge(name: string, options?: object): ObservableGauge;
}

/** An instrument whose values are read at each collection. */
interface ObservableGauge {
  addCallback(callback: ObservableCallback): void;
  removeCallback(callback: ObservableCallback): void;
}

/** Observes the present values. */
export type ObservableCallback = (result: {
  observe(value: number, attributes?: Attributes): void;
}) => Promise<void>;

/** `SpanKind.CLIENT` of the API. */
export const spanKindClient = 2;

/** `SpanStatusCode.ERROR` of the API. */
export const spanStatusError = 2;

export const scopeName = 'payment-platform';

/** Before a provider is registered, OpenTelemetry's instruments do nothing. */
export function createInstruments<Instruments>(
  metrics: MetricsApi,
  create: (meter: Meter) => Instruments,
): () => Instruments {
  let made: { readonly provider: object; readonly instruments: Instruments } | undefined;
  return () => {
    const provider = metrics.getMeterProvider();
    if (made?.provider !== provider)
      made = { provider, instruments: create(metrics.getMeter(scopeName, version)) };
    return made.instruments;
  };
}
