import { version } from '../version.js';
import { type Attributes, scopeName, spanStatusError, type TelemetryApi } from './api.js';
import { ignoringErrors, runExactlyOnce } from './ignoring-errors.js';

/** Describes the end of a span. */
interface SpanEnd {
  readonly attributes: Attributes;
  /** The error type of a failed span. */
  readonly error: string | undefined;
}

/**
 * Runs `work` in a new span, a child of the active span. Broken telemetry changes nothing: `work` still runs
 * exactly once.
 *
 * @param options the kind of the span, and its first attributes
 * @param ended describes the end of the span, given the result. After an error, it is not called, and the
 * span is only marked as failed.
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
    if (error !== undefined) ignoringErrors(() => span?.setStatus({ code: spanStatusError, message: error }));
    ignoringErrors(() => span?.end());
  }
}
