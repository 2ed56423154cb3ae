/** The result of some work, or undefined if it throws: telemetry that is broken must not break a payment. */
export function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Runs some work exactly once, inside `around` if that plays along. An `around` that throws, forgets the
 * work, or runs it twice changes nothing: what is sent, is sent once.
 */
export function runOnce<Result>(
  around: (work: () => Promise<Result>) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  let running: Promise<Result> | undefined;
  const once = () => {
    // A throw becomes a rejection, so that it counts as a run.
    running ??= (async () => work())();
    return running;
  };
  safely(() => {
    // What it makes of the promise is its own, but must not end the process.
    Promise.resolve(around(once)).catch(() => undefined);
  });
  return once();
}
