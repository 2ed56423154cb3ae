import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

function disableAll() {
  for (const part of [api.trace, api.metrics, api.context, api.propagation]) part.disable();
}

/** Registers OpenTelemetry as an application does, and keeps its exports in memory. */
export function registeredTelemetry({ propagates = true } = {}) {
  const spans = new InMemorySpanExporter();
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  // Test files share modules, so a registration left by another file would silently win.
  disableAll();
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  api.metrics.setGlobalMeterProvider(meters);
  if (propagates)
    api.propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    );
  return {
    api,
    /** Returns the ended spans, in the order they ended. */
    spans: () => spans.getFinishedSpans(),
    /** Returns the points of one instrument. */
    points: async (name: string) => {
      await meters.forceFlush();
      const last = measured.getMetrics().at(-1);
      const all = last?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      const named = all.filter(({ descriptor }) => descriptor.name === name);
      return named.flatMap(({ dataPoints }) => dataPoints as DataPoint<unknown>[]);
    },
    /** Lists the instruments that have measured something. */
    metrics: async () => {
      await meters.forceFlush();
      const last =
        measured
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      return last.map(({ descriptor, dataPointType, dataPoints, ...metric }) => ({
        name: descriptor.name,
        unit: descriptor.unit,
        isHistogram: dataPointType === DataPointType.HISTOGRAM,
        isCounter: 'isMonotonic' in metric && metric.isMonotonic,
        attributes: dataPoints.flatMap(({ attributes }) => Object.keys(attributes)),
      }));
    },
    /** Returns everything exported so far, as a string. */
    everything: async () => {
      await meters.forceFlush();
      const shown = spans
        .getFinishedSpans()
        .map(({ name, attributes, events, status, resource, instrumentationScope }) =>
          JSON.stringify({
            name,
            attributes,
            events,
            status,
            resource: resource.attributes,
            instrumentationScope,
          }),
        );
      return [...shown, JSON.stringify(measured.getMetrics())].join('\n');
    },
    close: async () => {
      await meters.shutdown();
      disableAll();
    },
  };
}
