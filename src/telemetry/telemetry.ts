import type { FailedOperation } from '../errors/base.js';
import { version } from '../version.js';
import { type Attributes, clientKind, scopeName, type TelemetryApi } from './api.js';
import { Measurements } from './measurements.js';
import { safely } from './safely.js';
import { CallSpan } from './spans.js';

/** Traces and measures the calls of one client, with an OpenTelemetry API that the caller gives. */
export class Telemetry {
  readonly #api: TelemetryApi;
  readonly #baseUrl: URL;
  readonly #measurements: Measurements | undefined;

  constructor(api: TelemetryApi, baseUrl: URL) {
    this.#api = api;
    this.#baseUrl = baseUrl;
    this.#measurements = api.metrics === undefined ? undefined : new Measurements(api.metrics);
  }

  /** Starts a call's span. Attributes are named as in the HTTP semantic conventions. */
  call(call: FailedOperation): CallSpan {
    const { origin, hostname, port, protocol, pathname } = this.#baseUrl;
    const attributes: Attributes = {
      'payment_platform.operation': call.operation,
      'http.request.method': call.method,
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      'url.template': call.path,
      // With placeholders, and without a query: ids belong to persons, and a query may hold secrets.
      'url.full': `${origin}${pathname.replace(/\/$/, '')}${call.path}`,
    };
    const { trace } = this.#api;
    return new CallSpan({
      api: this.#api,
      measurements: this.#measurements,
      attributes,
      call,
      startSpan: (name, attributes, context) =>
        safely(() => {
          const span = trace
            .getTracer(scopeName, version)
            .startSpan(name, { kind: clientKind, attributes }, context);
          // A tracer that gives none would otherwise fail at every step.
          return typeof span === 'object' && span !== null ? span : undefined;
        }),
    });
  }
}
