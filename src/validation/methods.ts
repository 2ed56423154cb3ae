/** So that methods can be destructured: `const { create } = platform.payments`. */
export function bindMethods(object: object, prototype: object = Object.getPrototypeOf(object)): void {
  const parent: object = Object.getPrototypeOf(prototype);
  if (parent !== Object.prototype) bindMethods(object, parent);
  const methods = Object.getOwnPropertyDescriptors(prototype);
  for (const [name, { value }] of Object.entries(methods)) {
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(object, name, { value: value.bind(object), configurable: true, writable: true });
  }
}

/**
 * The type that `await using` needs. Older type declarations lack `Symbol.asyncDispose`, and a type that
 * names the symbol directly would not compile with them.
 */
export type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [Name in Key]: () => Promise<void> }
  : object;

/** The runtime's symbol. If the runtime lacks it, the symbol that compilers use instead. */
const asyncDispose: symbol =
  (Symbol as { readonly asyncDispose?: symbol }).asyncDispose ?? Symbol.for('Symbol.asyncDispose');

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
