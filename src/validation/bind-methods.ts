/** Binds an object's methods to it, so that they can be destructured: `const { create } = platform.payments`. */
export function bindMethods(object: object): void {
  const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
  for (const [name, { value }] of Object.entries(methods)) {
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(object, name, { value: value.bind(object), configurable: true, writable: true });
  }
}
