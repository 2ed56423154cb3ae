import { Read } from '../../input/read.js';
import { nowRule, toMilliseconds } from '../verify-options.js';

/** Reads the option `now`, which is asked at each delivery. */
export function readClock(given: unknown): Read<() => number> {
  const now = () => toMilliseconds(given);
  try {
    if (now() === undefined) return new Read<never>(undefined, [{ path: '', message: nowRule }]);
  } catch {
    return new Read<never>(undefined, [{ path: '', message: nowRule }]);
  }
  // A clock that fails later makes every timestamp too old or too new.
  return new Read(() => now() ?? Number.NaN);
}
