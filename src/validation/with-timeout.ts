/** The result of `withTimeout` for work that was not done in time. */
export const late = Symbol('late');
/** The result of `withTimeout` for work that threw or rejected. */
export const failed = Symbol('failed');

/**
 * Runs a merchant's function, such as a store's. The function may throw, hang or be late. Never rejects.
 *
 * @param timeout milliseconds
 * @param onLate receives the result if it comes too late
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
    // The last millisecond is a separate timer: a process that was busy first reads a result that is already there.
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
