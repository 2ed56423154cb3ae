/** A store that takes longer is away. In milliseconds. */
const storeTimeout = 5000;

export const isPromise = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as PromiseLike<Value> | undefined)?.then === 'function';

/** Begins a step of a store: what it throws at once becomes a rejection. */
export function begin<Value>(step: () => Value | PromiseLike<Value>): Value | PromiseLike<Value> {
  try {
    return step();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What a step gives. Rejects after five seconds without an answer. */
export function finished<Value>(step: Value | PromiseLike<Value>): Value | Promise<Value> {
  if (!isPromise(step)) return step;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The dedupe store did not answer within ${storeTimeout} ms.`)),
      storeTimeout,
    );
    step.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
