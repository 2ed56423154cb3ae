import { version } from '../version.js';
import { type MetricsApi, scopeName } from './api.js';

/** What makes instruments. */
export type Meter = ReturnType<MetricsApi['getMeter']>;

/**
 * Gives the instruments of the provider that is registered now: before there is one, the API gives ones that do
 * nothing.
 */
export function instrumentsOf<Instruments>(
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
