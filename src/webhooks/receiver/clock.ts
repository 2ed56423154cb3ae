import { Read } from '../../input/read.js';
import { toMilliseconds } from '../verify-options.js';

const clockRule = 'must be a function that returns a Date or milliseconds';

/** Reads the option `now`, which is asked at each delivery. */
export function readClock(given: unknown): Read<() => number> {
  // A constant would let every delivery of later become too old, or too new.
  if (typeof given !== 'function') return new Read<never>(undefined, [{ path: '', message: clockRule }]);
  const now = () => toMilliseconds(given);
  try {
    if (now() === undefined) return new Read<never>(undefined, [{ path: '', message: clockRule }]);
  } catch {
    return new Read<never>(undefined, [{ path: '', message: clockRule }]);
  }
  return new Read(() => {
    const time = now();
    if (time === undefined) throw new TypeError('The function `now` returned no time.');
    return time;
  });
}
