import { ConfigurationError } from '../errors/usage.js';
import { hasMethods, isRecord } from '../validation/record.js';
import type { TelemetryApi } from './api.js';
import { CallTelemetry } from './calls.js';
import { DeliveryTelemetry } from './deliveries.js';
import { DurableTelemetry } from './durable.js';
import type { Telemetry } from './telemetry.js';

/**
 * Traces and measures with OpenTelemetry, for the option `telemetry` of the client, of a receiver and of durable
 * payments. The SDK ignores errors that the module throws.
 *
 * @param api the module `@opentelemetry/api` (version 1), or an object with some of its parts: `trace` and
 * `context`, `metrics` for measurements, and `propagation` for trace headers
 * @throws ConfigurationError if the parts do not come from `@opentelemetry/api`
 * @example
 * ```ts
 * const telemetry = openTelemetry(await import('@opentelemetry/api'));
 * const platform = new PaymentPlatform({ telemetry });
 * ```
 */
export function openTelemetry(api: TelemetryApi): Telemetry {
  const parts = readApi(api);
  return Object.freeze({
    calls: (baseUrl: URL) => new CallTelemetry(parts, baseUrl),
    deliveries: new DeliveryTelemetry(parts),
    durable: new DurableTelemetry(parts),
  });
}

/** Reads only the parts of the module that the SDK uses, each once. */
function readApi(value: unknown): TelemetryApi {
  const { trace, context, metrics, propagation } = isRecord(value) ? value : {};
  const reject = (problem: string) => {
    throw new ConfigurationError(`openTelemetry: ${problem}.`);
  };
  if (!hasMethods(trace, 'getTracer', 'setSpan') || !hasMethods(context, 'active', 'with'))
    reject('pass the module @opentelemetry/api, or an object with its trace and context');
  if (metrics !== undefined && !hasMethods(metrics, 'getMeter', 'getMeterProvider'))
    reject('metrics does not come from @opentelemetry/api');
  if (propagation !== undefined && !hasMethods(propagation, 'inject'))
    reject('propagation does not come from @opentelemetry/api');
  return { trace, context, metrics, propagation } as TelemetryApi;
}
