/** Who takes longer is away. In milliseconds. */
const stepTimeout = 5000;

export const isPromise = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as PromiseLike<Value> | undefined)?.then === 'function';

/** Begins a step of the merchant's store or secret manager: what it throws at once becomes a rejection. */
export function begin<Value>(step: () => Value | PromiseLike<Value>): Value | PromiseLike<Value> {
  try {
    return step();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What a step gives. Rejects after five seconds without an answer. */
export function finished<Value>(
  step: Value | PromiseLike<Value>,
  who = 'The dedupe store',
): Value | Promise<Value> {
  if (!isPromise(step)) return step;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${who} did not answer within ${stepTimeout} ms.`)),
      stepTimeout,
    );
    Promise.resolve(step)
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
