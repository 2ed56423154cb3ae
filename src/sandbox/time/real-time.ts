import { clearTimeout as clearTimer, setImmediate as setNext, setTimeout as setTimer } from 'node:timers';

// The timers of Node, taken when this file is loaded: with the fake timers of a test, a wait for the operating system
// would never end.
const set = setTimer;
const clear = clearTimer;
const next = setNext;

/** Resolves when some work is done, at the latest after a real time in milliseconds, also under fake timers. */
export async function atMost(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = set(resolve, time);
    timer.unref();
  });
  await Promise.race([work, patience]);
  clear(timer);
}

/**
 * Waits for a real time in milliseconds, also under fake timers. Data that arrived in that time are read before it
 * resolves, even if the process was busy.
 */
export const realTime = (time: number): Promise<void> =>
  new Promise((resolve) => void set(() => next(resolve), time));
