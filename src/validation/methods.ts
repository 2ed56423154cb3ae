/** Binds an object's methods to it, so that they can be destructured: `const { create } = platform.payments`. */
export function bindMethods(object: object): void {
  const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
  for (const [name, { value }] of Object.entries(methods)) {
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(object, name, { value: value.bind(object), configurable: true, writable: true });
  }
}

/**
 * The key that `await using` needs. Older runtime types lack `Symbol.asyncDispose`, and a type that names the
 * symbol would not compile with them.
 */
export type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [Name in Key]: () => Promise<void> }
  : object;

/** The runtime's symbol, or its replacement in compiled code if the runtime lacks it. */
const asyncDispose: symbol =
  (Symbol as { readonly asyncDispose?: symbol }).asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** Makes `await using` call `close`. */
export function disposeWith<Instance extends object>(
  prototype: Instance,
  close: (instance: Instance) => unknown,
): void {
  Object.defineProperty(prototype, asyncDispose, {
    async value(this: Instance) {
      await close(this);
    },
    configurable: true,
    writable: true,
  });
}
