import { type OptionReader, validIf } from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import type { CallTelemetry } from './calls.js';
import type { DeliveryTelemetry } from './deliveries.js';
import type { DurableTelemetry } from './durable.js';

/** Traces and measures calls, deliveries and durable payments. `openTelemetry` creates it. */
export interface Telemetry {
  /** Creates the telemetry of a client's calls. */
  readonly calls: (baseUrl: URL) => CallTelemetry;
  /** The telemetry of a receiver's deliveries. */
  readonly deliveries: DeliveryTelemetry;
  /** The telemetry of durable payments. */
  readonly durable: DurableTelemetry;
}

const notTelemetry = 'must be openTelemetry(api), where api is the module @opentelemetry/api';

/** Checks by shape, because each CommonJS entry has its own copy of `openTelemetry`. */
const isTelemetry = (value: unknown): boolean => isRecord(value) && typeof value.calls === 'function';

export const telemetryReader: OptionReader<Telemetry> = /* @__PURE__ */ validIf(isTelemetry, notTelemetry);
