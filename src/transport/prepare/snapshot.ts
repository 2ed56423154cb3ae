import type { Issue } from '../../input/issue.js';
import { Read } from '../../input/read.js';
import { unreadable } from '../../input/record.js';

/** Deeper bodies are a mistake, and could exhaust the stack of whoever reads them. */
const deepest = 64;

/** A body with more values is a mistake: an object that occurs in it twice counts twice, as it would be sent twice. */
const mostValues = 100_000;

/**
 * Copies a body as JSON would carry it, and names what JSON would lose without a word: NaN, integers
 * beyond 2^53, cycles, functions, Maps. The copy is ours: whatever the caller does to the original
 * afterwards, every attempt sends the same.
 */
export function snapshot(value: unknown): Read<unknown> {
  const copying = new Snapshot();
  try {
    return new Read(copying.copy(value, []), copying.issues);
  } catch (error) {
    const message = error instanceof TooManyValues ? `holds more than ${mostValues} values` : unreadable;
    return new Read<unknown>(undefined, [...copying.issues, { path: '', message }]);
  }
}

class TooManyValues extends Error {}

/** One copy under way. */
class Snapshot {
  readonly issues: Issue[] = [];
  readonly #path: (string | number)[] = [];
  #left = mostValues;

  copy(value: unknown, ancestors: object[]): unknown {
    if (--this.#left < 0) throw new TooManyValues();
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        if (Number.isSafeInteger(value)) return value;
        if (!Number.isFinite(value)) return this.#refuse(`must be a finite number, not ${value}`);
        if (Number.isInteger(value)) return this.#refuse('must be a safe integer (up to 2^53 - 1)');
        return value;
      case 'object':
        return value === null ? null : this.#object(value, ancestors);
      case 'bigint':
        return this.#refuse('must be a number, not a bigint');
      default:
        return this.#refuse(`cannot be sent as JSON: it is a ${typeof value}`);
    }
  }

  #refuse(message: string): undefined {
    this.issues.push({ path: this.#path.join('.'), message });
  }

  #object(value: object, ancestors: object[]): unknown {
    if (ancestors.includes(value)) return this.#refuse('refers back to an object that contains it');
    if (ancestors.length >= deepest) return this.#refuse(`is nested deeper than ${deepest} levels`);
    if (value instanceof Map || value instanceof Set)
      return this.#refuse('must be a plain object or an array');
    if (ArrayBuffer.isView(value)) {
      this.#refuse('must be a plain object or an array, not bytes');
      // Kept for whoever says what it could have been; with an issue nothing is sent.
      return value;
    }
    // JSON writes what is inside of them.
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return this.copy(value.valueOf(), ancestors);
    const { then, toJSON } = value as { readonly then?: unknown; readonly toJSON?: unknown };
    if (typeof then === 'function') return this.#refuse('is a Promise: await it first');
    if (value instanceof Date && Number.isNaN(value.getTime())) return this.#refuse('must be a valid date');
    ancestors.push(value);
    const result =
      typeof toJSON === 'function'
        ? this.copy(toJSON.call(value), ancestors)
        : Array.isArray(value)
          ? this.#list(value, ancestors)
          : this.#record(value as Readonly<Record<string, unknown>>, ancestors);
    ancestors.pop();
    return result;
  }

  #list(value: readonly unknown[], ancestors: object[]): unknown[] {
    // Of a list with holes the length tells nothing of what is in it.
    if (value.length > this.#left) throw new TooManyValues();
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index++)
      list.push(this.#at(index, value[index], ancestors) ?? null);
    return list;
  }

  #record(value: Readonly<Record<string, unknown>>, ancestors: object[]): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue;
      const entry = this.#at(name, value[name], ancestors);
      if (entry !== undefined) record[name] = entry;
    }
    return record;
  }

  #at(name: string | number, value: unknown, ancestors: object[]): unknown {
    this.#path.push(name);
    const copied = this.copy(value, ancestors);
    this.#path.pop();
    return copied;
  }
}
