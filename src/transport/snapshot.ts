import type { Issue } from '../errors/usage.js';

/** Deeper bodies are a mistake, and could exhaust the stack of whoever reads them. */
const deepest = 64;

/**
 * Copies a body as JSON would carry it, and adds to `issues` what JSON would lose without a word:
 * NaN, integers beyond 2^53, cycles, functions, Maps. The copy is ours: whatever the caller does to
 * the original afterwards, every attempt sends the same.
 */
export function snapshot(value: unknown, issues: Issue[]): unknown {
  try {
    return copy(value, [], [], issues);
  } catch {
    issues.push({ path: '', message: 'could not be read: one of its getters throws' });
    return undefined;
  }
}

type Path = (string | number)[];

function refuse(message: string, path: Path, issues: Issue[]): undefined {
  issues.push({ path: path.join('.'), message });
}

function copy(value: unknown, path: Path, ancestors: object[], issues: Issue[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      if (Number.isSafeInteger(value)) return value;
      if (!Number.isFinite(value)) return refuse(`must be a finite number, not ${value}`, path, issues);
      if (Number.isInteger(value)) return refuse('must be a safe integer (up to 2^53 - 1)', path, issues);
      return value;
    case 'object':
      return value === null ? null : copyObject(value, path, ancestors, issues);
    case 'bigint':
      return refuse('must be a number, not a bigint', path, issues);
    default:
      return refuse(`cannot be sent as JSON: it is a ${typeof value}`, path, issues);
  }
}

function copyObject(value: object, path: Path, ancestors: object[], issues: Issue[]): unknown {
  if (ancestors.includes(value)) return refuse('refers back to an object that contains it', path, issues);
  if (ancestors.length >= deepest) return refuse(`is nested deeper than ${deepest} levels`, path, issues);
  if (value instanceof Map || value instanceof Set)
    return refuse('must be a plain object or an array', path, issues);
  if ('then' in value && typeof value.then === 'function')
    return refuse('is a Promise: await it first', path, issues);
  if (value instanceof Date && Number.isNaN(value.getTime()))
    return refuse('must be a valid date', path, issues);
  ancestors.push(value);
  let result: unknown;
  if ('toJSON' in value && typeof value.toJSON === 'function')
    result = copy(value.toJSON(), path, ancestors, issues);
  else if (Array.isArray(value)) {
    const array = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      array[index] = copy(value[index], path, ancestors, issues) ?? null;
      path.pop();
    }
    result = array;
  } else {
    const object: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue;
      path.push(name);
      const entry = copy((value as Record<string, unknown>)[name], path, ancestors, issues);
      path.pop();
      if (entry !== undefined) object[name] = entry;
    }
    result = object;
  }
  ancestors.pop();
  return result;
}
