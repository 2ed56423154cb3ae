/** Returns the result of `work`, or undefined if it throws. Broken telemetry must not break a payment. */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Runs the work exactly once, even if `around` throws, never runs it, or runs it twice. A request must be
 * sent once.
 */
export function runExactlyOnce<Result>(
  around: (work: () => Promise<Result>) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  let running: Promise<Result> | undefined;
  const once = () => {
    // `async` turns a throw into a rejection, so that it counts as a run.
    running ??= (async () => work())();
    return running;
  };
  ignoringErrors(() => {
    // The result of `around` is ignored, but its rejection must not end the process.
    Promise.resolve(around(once)).catch(() => undefined);
  });
  return once();
}
