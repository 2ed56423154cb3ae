/** How many seconds of the processor an action takes. On the clock it depends on what else the machine does. */
export async function cpuSeconds(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
