/**
 * Checks for an instance of a built-in class, such as `URL`, of any realm. In Jest and in Vitest's
 * `vmThreads`, objects of Node's core are not instances of the classes that a test sees.
 */
export function isInstance(value: unknown, className: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${className}]`;
}

export const isError = (value: unknown): value is Error =>
  value instanceof Error || isInstance(value, 'Error') || isInstance(value, 'DOMException');

export const isErrorNamed = (value: unknown, name: string): value is Error =>
  isError(value) && value.name === name;

export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && isInstance(value, 'Uint8Array');
