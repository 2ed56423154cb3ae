type Run = <Result>(run: () => Result) => Result;

/**
 * Returns a function that runs others in the current async context, whoever calls it. The module is not imported,
 * because the same file runs in runtimes without it. There, functions run in the caller's context.
 */
export function keepContext(): Run {
  const { AsyncResource } = globalThis.process?.getBuiltinModule?.('node:async_hooks') ?? {};
  const run: Run = (inner) => inner();
  return AsyncResource?.bind(run) ?? run;
}
