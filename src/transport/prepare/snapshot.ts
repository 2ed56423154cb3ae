import type { Issue } from '../../input/issue.js';
import { awaitItFirst } from '../../input/outside.js';
import { Read } from '../../input/read.js';
import { unreadable } from '../../input/record.js';

/** A deeper body is a mistake, and could exhaust the stack of the code that reads it. */
const maxDepth = 64;

/** A body with more values is a mistake. An object that occurs twice counts twice, because it would be sent twice. */
const maxValues = 100_000;

/**
 * Copies a body as JSON would carry it, and reports what JSON would lose silently: NaN, integers beyond
 * 2^53, cycles, functions, Maps. Because it is a copy, every attempt sends the same, even if the caller
 * changes the original.
 */
export function snapshot(value: unknown): Read<unknown> {
  const jsonCopy = new JsonCopy();
  try {
    return new Read(jsonCopy.copy(value, []), jsonCopy.issues);
  } catch (error) {
    const message = error instanceof TooManyValues ? `holds more than ${maxValues} values` : unreadable;
    return new Read<unknown>(undefined, [...jsonCopy.issues, { path: '', message }]);
  }
}

class TooManyValues extends Error {}

/** One copy in progress. */
class JsonCopy {
  readonly issues: Issue[] = [];
  readonly #path: (string | number)[] = [];
  #valuesLeft = maxValues;

  copy(value: unknown, ancestors: object[]): unknown {
    if (--this.#valuesLeft < 0) throw new TooManyValues();
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
    if (ancestors.length >= maxDepth) return this.#refuse(`is nested deeper than ${maxDepth} levels`);
    if (value instanceof Map || value instanceof Set)
      return this.#refuse('must be a plain object or an array');
    if (ArrayBuffer.isView(value)) {
      this.#refuse('must be a plain object or an array, not bytes');
      // Kept, so that later checks see what was given; with an issue nothing is sent.
      return value;
    }
    // JSON.stringify writes the primitive inside these objects.
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return this.copy(value.valueOf(), ancestors);
    const { then, toJSON } = value as { readonly then?: unknown; readonly toJSON?: unknown };
    if (typeof then === 'function') return this.#refuse(awaitItFirst);
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
    // A sparse array may have a huge length and few values.
    if (value.length > this.#valuesLeft) throw new TooManyValues();
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
