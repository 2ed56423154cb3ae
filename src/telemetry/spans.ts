import { type FailedOperation, isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { type Attributes, errorStatus, type Span, type TelemetryApi } from './api.js';
import type { Measurements } from './measurements.js';
import { runOnce, safely } from './safely.js';

/** Everything to make the spans of a call. */
export interface SpanSource {
  readonly api: TelemetryApi;
  readonly measurements: Measurements | undefined;
  readonly startSpan: (name: string, attributes: Attributes, context: unknown) => Span | undefined;
  /** Of every span: the operation and the server. */
  readonly attributes: Attributes;
  readonly call: FailedOperation;
}

/** A context whose active span is this one. */
const contextOf = ({ trace }: TelemetryApi, span: Span | undefined, parent: unknown) =>
  span === undefined ? parent : (safely(() => trace.setSpan(parent, span)) ?? parent);

function endSpan(span: Span | undefined, attributes: Attributes, errorType: string | undefined): void {
  if (span === undefined) return;
  safely(() => span.setAttributes(attributes));
  if (errorType !== undefined) safely(() => span.setStatus({ code: errorStatus, message: errorType }));
  safely(() => span.end());
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
    const parent = safely(() => source.api.context.active());
    this.#span = source.startSpan(source.call.operation, source.attributes, parent);
    this.#context = contextOf(source.api, this.#span, parent);
  }

  /** Makes the call while its span is active, and ends the span with it. */
  async observe<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await runOnce((once) => this.#source.api.context.with(this.#context, once), work);
      this.#end('executed', undefined);
      return result;
    } catch (error) {
      if (isPaymentPlatformError(error)) this.#end(error.outcome, error);
      else this.#end('unknown', undefined);
      throw error;
    }
  }

  /** Sends the request of the next attempt, with these headers, while its span is active. */
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
    const context = contextOf(api, this.#attempt, this.#context);
    return runOnce(
      (once) => api.context.with(context, once),
      () => send(traceHeaders(api, context)),
    );
  }

  /** How an attempt ended: with a status, if the headers of a response came. */
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

  /** The call is sent again. The reason must not contain secrets. */
  retry(reason: string, delay: number): void {
    this.#retryReason = reason;
    const type = { 'error.type': this.#errorType };
    safely(() =>
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
 * The headers that continue a trace on another host: W3C and B3. `baggage` is left out, because it may
 * hold anything of the application, persons included, and leaves for another company.
 */
const traceHeader = /^(?:traceparent|tracestate|b3|x-b3-(?:traceid|spanid|parentspanid|sampled|flags))$/;

const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/;

/** The headers that let the platform continue a trace; none unless a propagator is registered. */
function traceHeaders({ propagation }: TelemetryApi, context: unknown): Record<string, string> {
  const carrier: Record<string, unknown> = {};
  safely(() => propagation?.inject(context, carrier));
  return safely(() => traceHeadersIn(carrier)) ?? {};
}

/** The trace headers that a propagator put into a carrier. Whatever else it put there is dropped. */
function traceHeadersIn(carrier: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(carrier)) {
    const lower = name.toLowerCase();
    if (traceHeader.test(lower) && typeof value === 'string' && headerValue.test(value)) found[lower] = value;
  }
  return found;
}
