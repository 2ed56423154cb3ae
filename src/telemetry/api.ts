/**
 * The parts of `@opentelemetry/api` (version 1) that are used, described by their members: so the types of
 * this package need no other package, and the module itself fits. A context is opaque.
 */
export interface TelemetryApi {
  /** Makes the spans. */
  readonly trace: {
    getTracer(name: string, version?: string): Tracer;
    setSpan(context: unknown, span: Span): unknown;
  };
  /** Holds the active span, and activates another one. */
  readonly context: {
    active(): unknown;
    with<Result>(context: unknown, work: () => Result): Result;
  };
  /** Without it nothing is measured. */
  readonly metrics?: MetricsApi | undefined;
  /** Without it no trace headers are sent. */
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

/** Where meters come from: a provider that was registered later is another one. */
export interface MetricsApi {
  getMeterProvider(): object;
  getMeter(name: string, version?: string): Meter;
}

interface Meter {
  createHistogram(name: string, options?: object): { record(value: number, attributes?: Attributes): void };
  createCounter(name: string, options?: object): { add(value: number, attributes?: Attributes): void };
}

/** `SpanKind.CLIENT` of the API. */
export const clientKind = 2;

/** `SpanStatusCode.ERROR` of the API. */
export const errorStatus = 2;

/** The name under which spans and measurements are made. */
export const scopeName = 'payment-platform';
