import { Parsed } from '../validation/issue.js';
import type { Reader } from '../validation/options.js';
import { hasMethods, isRecord } from '../validation/record.js';
import type { TelemetryApi } from './api.js';

const rule = 'must be the module @opentelemetry/api, or an object with its trace and context';

/** Reads the option `telemetry`: of the module only the parts that are used, each once. */
export const telemetryApi: Reader<TelemetryApi> = {
  read: (given) => {
    const refused = (message: string) => new Parsed<TelemetryApi>(undefined, [{ path: '', message }]);
    if (!isRecord(given)) return refused(rule);
    const { trace, context, metrics, propagation } = given;
    if (!hasMethods(trace, 'getTracer', 'setSpan') || !hasMethods(context, 'active', 'with'))
      return refused(rule);
    if (metrics !== undefined && !hasMethods(metrics, 'getMeter', 'getMeterProvider'))
      return refused('has metrics that do not come from @opentelemetry/api');
    if (propagation !== undefined && !hasMethods(propagation, 'inject'))
      return refused('has a propagation that does not come from @opentelemetry/api');
    return new Parsed({ trace, context, metrics, propagation } as TelemetryApi);
  },
};
