import { afterReading, clearTimer, setTimer, unref } from '#sandbox-platform';

// Under the fake timers of a test, a wait for the operating system would never end: these are the real ones.

/** Resolves when some work is done, at the latest after a real time in milliseconds, also under fake timers. */
export async function atMost(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimer(resolve, time);
    unref(timer);
  });
  await Promise.race([work, patience]);
  clearTimer(timer);
}

/**
 * Waits for a real time in milliseconds, also under fake timers. Data that arrived in that time are read before it
 * resolves, even if the process was busy.
 */
export const realTime = (time: number): Promise<void> =>
  new Promise((resolve) => void setTimer(() => afterReading(resolve), time));
