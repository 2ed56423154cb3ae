import type { Notification } from './delivery.js';

/** How many of the latest deliveries that have ended failed, resends included. */
export function failedInARow(notifications: readonly Notification[], resends: number): number {
  let failed = 0;
  for (const { attempts } of notifications.toReversed()) {
    if (attempts.some(({ state }) => state === 'delivered')) break;
    const last = attempts.at(-1);
    if (last?.state === 'failed' && last.attempt > resends) failed += 1;
  }
  return failed;
}
