/** Returns the result of `work`, or undefined if it throws. Broken telemetry must not break a payment. */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` exactly once, even if `around` throws, or runs it never or twice. A request must be sent
 * exactly once.
 */
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
