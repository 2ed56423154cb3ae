/**
 * What `await using` asks for, where the types of the runtime have it: in older ones there is no
 * `Symbol.asyncDispose`, and a type that names it would not compile.
 */
export type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [Name in Key]: () => Promise<void> }
  : object;

/** The symbol of the runtime, or the one that compilers use in its place. */
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
