import { clearTimeout as clearTimer, setImmediate as setNext, setTimeout as setTimer } from 'node:timers';

// Kept from the moment of loading: fake timers of a test replace those of the global object, and what waits
// for the operating system would then wait for ever.
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
 * Waits for a real time in milliseconds, also under fake timers. What has arrived for this process by then is read
 * before, also if something kept it busy.
 */
export const realTime = (time: number): Promise<void> =>
  new Promise((resolve) => void set(() => next(resolve), time));
