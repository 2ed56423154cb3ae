import type { TelemetryApi } from './api.js';
import { safely } from './safely.js';

/**
 * The headers by which traces continue on another host: W3C and B3. `baggage` is left out, because it may
 * hold anything of the application, persons included, and leaves for another company.
 */
const traceHeader = /^(?:traceparent|tracestate|b3|x-b3-(?:traceid|spanid|parentspanid|sampled|flags))$/;

const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/;

/** The headers by which the platform could continue a trace; none unless a propagator is registered. */
export function traceHeaders({ propagation }: TelemetryApi, context: unknown): Record<string, string> {
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
