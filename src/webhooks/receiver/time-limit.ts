/** What `within` gives when the time is over. */
export const late: unique symbol = Symbol('late');

/** A promise, or `late` when it does not settle in time. A rejection that comes later is not reported as unhandled. */
export function within<Value>(duration: number, promise: Promise<Value>): Promise<Value | typeof late> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, duration, late);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
