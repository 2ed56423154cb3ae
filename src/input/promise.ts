/** What is wrong with a Promise given in place of its value. */
export const awaitItFirst = 'is a Promise. Await it first';

/** Whether a value is a promise: of any realm, and of any library. */
export const isPromise = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function';
