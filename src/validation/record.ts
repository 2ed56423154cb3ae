export const awaitItFirst = 'is a Promise. Await it first';

/** Checks for a promise of any realm and any library. */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The tags of objects that can be a caller's data: a literal, a class instance, or a module. */
const dataTags = new Set(['[object Object]', '[object Module]']);

/** An instance of a built-in class, such as a Promise or a Map, would look like an empty object. */
export function objectProblem(value: unknown, expected: string = 'a plain object'): string | undefined {
  if (!isRecord(value)) return 'must be an object';
  // Object literals, the most common case, return early.
  if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
  if (typeof value.then === 'function') return awaitItFirst;
  const tag = Object.prototype.toString.call(value);
  return dataTags.has(tag) ? undefined : `must be ${expected}, not an instance of ${tag.slice(8, -1)}`;
}

/** Checks that a prototype is `Object.prototype`, of any realm. */
const isRoot = (prototype: object) => Object.hasOwn(prototype, '__lookupGetter__');

/** Lists the prototypes of an object, except `Object.prototype`, which all objects share. */
export function listPrototypes(input: object): readonly object[] {
  const prototype: object | null = Object.getPrototypeOf(input);
  return prototype === null || isRoot(prototype) ? [] : [prototype, ...listPrototypes(prototype)];
}

/** Sets an own property, even if all objects inherit the name, such as `__proto__` or `constructor`. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name in Object.prototype)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

type Method = (...args: unknown[]) => unknown;

export function hasMethods<const Names extends readonly string[]>(
  value: unknown,
  ...names: Names
): value is { readonly [Name in Names[number]]: Method } {
  const canHave = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return canHave && names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}
