/** The result of some work, or undefined if it throws: telemetry that is broken must not break a payment. */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Runs the work exactly once, even if `around` throws, forgets it, or runs it twice. A request is sent once. */
export function runExactlyOnce<Result>(
  around: (work: () => Promise<Result>) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  let running: Promise<Result> | undefined;
  const once = () => {
    // A throw becomes a rejection, so that it counts as a run.
    running ??= (async () => work())();
    return running;
  };
  ignoringErrors(() => {
    // The result of `around` is ignored, but its rejection must not end the process.
    Promise.resolve(around(once)).catch(() => undefined);
  });
  return once();
}
