/** What was asked did not answer in time. */
export const late = Symbol('late');
/** What was asked threw or rejected. */
export const failed = Symbol('failed');

/** What is wrong with a Promise given in place of its value. */
export const awaitItFirst = 'is a Promise: await it first';

/** Of any realm, and also one that is no native Promise. */
export const isPromise = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function';

/**
 * Waits for an answer of something that is not ours, such as a merchant's store. Rejects as it does.
 *
 * @param patience milliseconds.
 * @param onLate gets an answer that came too late.
 */
export function inTime<Answer>(
  asked: PromiseLike<Answer>,
  patience: number,
  onLate?: (answer: Answer) => void,
): Promise<Answer | typeof late> {
  let isLate = false;
  const answer = (async () => {
    const result = await asked;
    if (isLate) onLate?.(result);
    return result;
  })();
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      isLate = true;
      resolve(late);
    };
    // The last millisecond is a turn of its own: if this process was busy, the answer may be here and not yet read.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, 1);
    }, patience - 1);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Asks something that is not ours. It may throw, hang or answer late: the promise resolves all the same, and
 * never rejects.
 *
 * @param patience milliseconds.
 * @param onLate gets an answer that came too late.
 */
export async function askOutside<Answer>(
  work: () => Promise<Answer>,
  patience: number,
  onLate?: (answer: Answer) => void,
): Promise<Answer | typeof late | typeof failed> {
  try {
    return await inTime(work(), patience, onLate);
  } catch {
    return failed;
  }
}
