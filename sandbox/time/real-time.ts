import { clearTimer, runAfterArrivedData, setTimer, unref } from '#sandbox-runtime';

// Uses the real timers, because a wait for the operating system would never end under a test's fake timers.

/** Resolves at the latest after the given real milliseconds, even under fake timers. */
export async function atMost(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimer(resolve, time);
    unref(timer);
  });
  await Promise.race([work, patience]);
  clearTimer(timer);
}

/** Data that arrived in that time is read before the promise resolves, even if the process was busy. */
export const waitRealTime = (time: number): Promise<void> =>
  new Promise((resolve) => void setTimer(() => runAfterArrivedData(resolve), time));
