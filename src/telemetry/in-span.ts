import { version } from '../version.js';
import { type Attributes, scopeName, spanStatusError, type TelemetryApi } from './api.js';

interface SpanEnd {
  readonly attributes: Attributes;
  readonly error: string | undefined;
}

/**
 * Broken telemetry changes nothing: `work` still runs exactly once. After an error, `ended` is not called,
 * and the span is only marked as failed.
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

/** Broken telemetry must not break a payment. */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Runs `work` exactly once, even if `around` throws, never runs it, or runs it twice. */
export function runExactlyOnce<Result>(
  around: (work: () => Promise<Result>) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  let running: Promise<Result> | undefined;
  const once = () => {
    // `async` turns a throw into a rejection, so that a throw also counts as a run.
    running ??= (async () => work())();
    return running;
  };
  ignoringErrors(() => {
    // The result of `around` is ignored, but its rejection must not end the process.
    Promise.resolve(around(once)).catch(() => undefined);
  });
  return once();
}
