import { acceptOptions, ConfigurationError } from '../errors/usage.js';
import { booleanReader, type OptionReaders } from '../validation/options.js';
import { hasMethods, isRecord } from '../validation/record.js';
import type { TelemetryApi } from './api.js';
import { CallTelemetry } from './calls.js';
import { DeliveryTelemetry } from './deliveries.js';
import { DurableTelemetry } from './durable.js';
import type { Telemetry } from './telemetry.js';

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /**
   * Whether spans show idempotency keys, as `payment_platform.idempotency_key`. A key can contain an order number,
   * and a tracing service stores it for others to read. Measurements never show keys. Default false.
   */
  idempotencyKeys?: boolean | undefined;
}

/**
 * Traces and measures with OpenTelemetry, for the option `telemetry` of the client, of a receiver and of durable
 * payments. The SDK ignores errors that the module throws.
 *
 * @param api the module `@opentelemetry/api` (version 1), or an object with some of its parts: `trace` and
 * `context`, `metrics` for measurements, and `propagation` for trace headers
 * @throws ConfigurationError if the parts do not come from `@opentelemetry/api`, or if an option is wrong
 * @example
 * ```ts
 * const telemetry = openTelemetry(await import('@opentelemetry/api'));
 * const platform = new PaymentPlatform({ telemetry });
 * ```
 */
export function openTelemetry(api: TelemetryApi, options: OpenTelemetryOptions = {}): Telemetry {
  const parts = readApi(api);
  const { idempotencyKeys = false } = acceptOptions('openTelemetry', options, optionReaders);
  return Object.freeze({
    calls: (baseUrl: URL) => new CallTelemetry(parts, baseUrl, idempotencyKeys),
    deliveries: new DeliveryTelemetry(parts),
    durable: new DurableTelemetry(parts, idempotencyKeys),
  });
}

const optionReaders: OptionReaders<OpenTelemetryOptions> = { idempotencyKeys: booleanReader };

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
