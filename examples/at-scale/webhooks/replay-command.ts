/** The steps of a replay, for one kind of queue. */
export interface Replay {
  /** Lists the events that failed at every attempt. */
  list(): Promise<readonly { readonly id: string; readonly reason: string }[]>;
  /** Runs one event again. Returns false if it has not finished yet, and undefined if the queue does not know it. */
  one(deliveryId: string): Promise<boolean | undefined>;
  /** Runs the failed events again. @returns how many there are */
  failed(): Promise<number>;
  /** Runs the finished events again that arrived in a period. @returns how many there are */
  period(from: Date, to: Date): Promise<number>;
}

const usage = `Usage:
  replay list                  lists the dead letters: delivery ids and reasons
  replay event DELIVERY_ID     runs one event again
  replay dead-letters          runs all failed events again
  replay day 2026-11-28        runs the events of a day again, from midnight to midnight in the time zone TZ`;

/** Runs the command. @returns the result as a message */
export async function runReplay(replay: Replay, [command, value]: readonly string[]): Promise<string> {
  if (command === 'list') {
    const letters = await replay.list();
    return [`Dead letters: ${letters.length}`, ...letters.map(({ id, reason }) => `${id}  ${reason}`)].join(
      '\n',
    );
  }
  if (command === 'event' && value !== undefined) {
    const isReplayed = await replay.one(value);
    if (isReplayed === undefined) return `Nothing was replayed: the queue has no event ${value}.`;
    return isReplayed
      ? `The event is replayed: ${value}`
      : `Nothing was replayed: ${value} is still waiting, or a worker is handling it.`;
  }
  if (command === 'dead-letters') return `Failed events that are replayed: ${await replay.failed()}.`;
  if (command === 'day' && /^\d{4}-\d\d-\d\d$/.test(value ?? '')) {
    const from = new Date(`${value}T00:00`);
    const to = new Date(from);
    to.setDate(to.getDate() + 1);
    const count = await replay.period(from, to);
    return `Events that are replayed: ${count}. They arrived from ${from.toISOString()} to ${to.toISOString()}.`;
  }
  process.exitCode = 2;
  return usage;
}
