/** What was asked did not answer in time. */
export const late = Symbol('late');
/** What was asked threw or rejected. */
export const failed = Symbol('failed');

/**
 * Asks something that is not ours, such as a merchant's store. It may throw, hang or answer late: the promise
 * resolves all the same, and never rejects.
 *
 * @param patience milliseconds.
 * @param onLate gets an answer that came too late.
 */
export async function askOutside<Answer>(
  work: () => Promise<Answer>,
  patience: number,
  onLate?: (answer: Answer) => void,
): Promise<Answer | typeof late | typeof failed> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const lateness = new Promise<typeof late>((resolve) => {
    const giveUp = () => {
      isLate = true;
      resolve(late);
    };
    timer = setTimeout(() => {
      // If this process was busy, the answer may be here and not yet read: it has one more turn.
      timer = setTimeout(giveUp, 0);
    }, patience);
  });
  const answer = (async () => {
    const result = await work();
    if (isLate) onLate?.(result);
    return result;
  })().catch((): typeof failed => failed);
  const result = await Promise.race([answer, lateness]);
  clearTimeout(timer);
  return result;
}
