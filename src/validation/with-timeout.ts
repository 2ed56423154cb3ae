/** What `withTimeout` gives if the work was not done in time. */
export const late = Symbol('late');
/** What `withTimeout` gives if the work threw or rejected. */
export const failed = Symbol('failed');

/**
 * Does some work of a merchant, such as that of a store: it may throw, hang or be late. Never rejects.
 *
 * @param timeout milliseconds
 * @param onLate gets the result if it comes too late
 */
export function withTimeout<Result>(
  work: () => Promise<Result>,
  timeout: number,
  onLate?: (result: Result) => void,
): Promise<Result | typeof late | typeof failed> {
  return new Promise((resolve) => {
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      resolve(late);
    };
    // The last millisecond is a turn of its own: if this process was busy, the result may be here and not yet read.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, 1);
    }, timeout - 1);
    const done = async () => {
      const result = await work();
      if (isLate) onLate?.(result);
      return result;
    };
    done()
      .then(resolve, () => resolve(failed))
      .finally(() => clearTimeout(timer));
  });
}
