import { type Readers, readIf, readOptions, required } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';

/** The platform's own answer, slowly: the head at once, then the body in up to ten pieces. */
export interface SlowAnswer {
  /** Real time from the head to the last piece: milliseconds, or text such as `'3s'`. More than 0. */
  slow: Duration;
}

const slowRule = `must be ${durationForms}, and more than 0`;

const readers: Readers<SlowAnswer> = {
  slow: required(
    readIf((given) => isDuration(given) && milliseconds(given) > 0, slowRule),
    slowRule,
  ),
};

/** Checks and copies. In the copy the time is in milliseconds. */
export function readSlowAnswer(given: unknown): Read<{ slow: number }> {
  const { value, issues } = readOptions(given, readers, 'field');
  if (value?.slow === undefined || issues.length > 0) return new Read<{ slow: number }>(undefined, issues);
  return new Read(Object.freeze({ slow: milliseconds(value.slow) }));
}
