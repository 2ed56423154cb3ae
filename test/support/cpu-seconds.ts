/** Measures an action's CPU seconds. Wall time would depend on other processes. */
export async function cpuSeconds(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
