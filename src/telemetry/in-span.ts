import { version } from '../version.js';
import { type Attributes, errorStatus, scopeName, type TelemetryApi } from './api.js';
import { ignoringErrors, runExactlyOnce } from './ignoring-errors.js';

/** How a span ends. */
interface SpanEnd {
  readonly attributes: Attributes;
  /** Marks the span as failed. */
  readonly error: string | undefined;
}

/**
 * Does some work in its own span, a child of the active one. Telemetry that is broken changes nothing: the work runs once.
 *
 * @param options the kind of the span, and the attributes that it starts with.
 * @param ended describes the end of the span by the result. After an error the span is only marked as failed.
 */
export async function inSpan<Result>(
  { trace, context }: TelemetryApi,
  name: string,
  options: { readonly kind?: number; readonly attributes?: Attributes },
  work: () => Promise<Result>,
  ended: (result: Result) => SpanEnd,
): Promise<Result> {
  const parent = ignoringErrors(() => context.active());
  const span = ignoringErrors(() => trace.getTracer(scopeName, version).startSpan(name, options, parent));
  const inside = (span && ignoringErrors(() => trace.setSpan(parent, span))) ?? parent;
  let end: SpanEnd = { attributes: {}, error: 'error' };
  try {
    const result = await runExactlyOnce((once) => context.with(inside, once), work);
    end = ended(result);
    return result;
  } finally {
    const { attributes, error } = end;
    ignoringErrors(() => span?.setAttributes(attributes));
    if (error !== undefined) ignoringErrors(() => span?.setStatus({ code: errorStatus, message: error }));
    ignoringErrors(() => span?.end());
  }
}
