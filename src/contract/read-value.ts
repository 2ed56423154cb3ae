import type { Issue } from '../validation/issue.js';
import { awaitItFirst, objectProblem } from '../validation/record.js';
import { article, typeName } from './patterns.js';
import { anything, type RuntimeSchema } from './runtime-schema.js';
import type { SdkCheck } from './sdk-checks.js';
import { findMeantField, findMisplacedField, type MeantField } from './suggest-field.js';

/** Deeper nesting is a mistake, and could exhaust the stack of the code that reads the body. */
const maxDepth = 64;

/** More are a mistake. An object that occurs twice counts twice, because it would be sent twice. */
const maxValues = 100_000;

const maxPathLength = 200;

/** If a list of a million entries differs from its schema, the first entries already show the difference. */
const maxCheckedValues = 20_000;

const maxCompared = 100;

interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

const none: readonly Misspelt[] = [];

type Fields = Readonly<Record<string, unknown>>;

const tooManyValues = new Error('too many values');

export interface CheckedBody {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  readonly keyLikePaths: readonly string[];
}

/**
 * The copy has the values that JSON would carry, with normalized strings. Each property is read once. Also
 * reports values that JSON cannot carry, such as NaN, integers beyond 2^53, cycles, functions and Maps.
 */
export function checkBody(
  value: unknown,
  shape: RuntimeSchema = anything,
  isKeyLike?: (name: string) => boolean,
): CheckedBody {
  const reader = new ValueReader(isKeyLike);
  try {
    return { value: reader.read(value, shape), issues: reader.issues, keyLikePaths: reader.keyLikePaths };
  } catch (error) {
    return { value: undefined, issues: [...reader.issues, tooManyIssue(error)], keyLikePaths: [] };
  }
}

export function tooManyIssue(error: unknown): Issue {
  if (error !== tooManyValues) throw error;
  return { path: '', message: `holds more than ${maxValues} values` };
}

/** Of a large response, only the first values are checked. No message repeats a part of a response. */
export function issuesIn(value: unknown, shape: RuntimeSchema, isResponse = true): readonly Issue[] {
  const reader = new ValueReader(undefined, isResponse ? 'response' : 'received');
  try {
    reader.read(value, shape);
  } catch (error) {
    if (error !== tooManyValues) throw error;
  }
  return reader.issues;
}

export class ValueReader {
  readonly issues: Issue[] = [];
  readonly keyLikePaths: string[] = [];
  readonly #isKeyLike: ((name: string) => boolean) | undefined;
  readonly #path: (string | number)[] = [];
  readonly #enclosing: object[] = [];
  #outermost: { readonly read: Fields; readonly shape: RuntimeSchema } | undefined;
  /** The strings of a value to be sent are normalized to the documented formats. */
  readonly #isSent: boolean;
  /** False for a response of the platform. */
  readonly #canQuote: boolean;
  #valuesLeft: number;

  constructor(isKeyLike?: (name: string) => boolean, source: 'caller' | 'received' | 'response' = 'caller') {
    this.#isKeyLike = isKeyLike;
    this.#isSent = source === 'caller';
    this.#canQuote = source !== 'response';
    this.#valuesLeft = { caller: maxValues, received: Number.POSITIVE_INFINITY, response: maxCheckedValues }[
      source
    ];
  }

  read(value: unknown, shape: RuntimeSchema): unknown {
    if (--this.#valuesLeft < 0) throw tooManyValues;
    switch (typeof value) {
      case 'object':
        return value === null ? this.#check(null, shape) : this.#readObject(value, shape);
      case 'string':
        return this.#check(
          this.#isSent && shape.normalize !== undefined ? shape.normalize(value) : value,
          shape,
        );
      case 'number':
        if (!Number.isFinite(value)) return this.reject(`must be a finite number, not ${value}`);
        if (Number.isInteger(value) && !Number.isSafeInteger(value))
          return this.reject('must be a safe integer (up to 2^53 - 1)');
        return this.#check(value, shape);
      case 'boolean':
      case 'undefined':
        return this.#check(value, shape);
      case 'bigint':
        return this.reject(`must be ${bigintAlternatives.get(shape.type) ?? 'a number'}, not a bigint`);
      default:
        return this.reject(`cannot be sent as JSON, because it is a ${typeof value}`);
    }
  }

  readField(name: string | number, input: unknown, shape: RuntimeSchema): unknown {
    this.#path.push(name);
    const value = this.read(input, shape);
    this.#path.pop();
    return value;
  }

  noteUnknown(name: string): void {
    if (this.#isKeyLike?.(name)) this.keyLikePaths.push([...this.#path, name].join('.'));
  }

  reportMissing(
    name: string,
    { type, values, requiredBy }: RuntimeSchema,
    misspelt: readonly Misspelt[],
  ): void {
    const expected = type === 'one of' ? `: one of ${values.join(', ')}` : '';
    const near = misspelt.find(({ meant }) => meant === name);
    const hint = near === undefined ? '' : `. Rename ${near.name} to ${name}`;
    this.#report(name, `is required${expected}${hint}`, requiredBy);
  }

  /** Reports those that mean an optional field, because a missing required field is reported anyway. */
  findMisspelt(unknown: readonly string[], shape: RuntimeSchema, read: Fields): readonly Misspelt[] {
    // In an object without documented fields, such as `metadata`, no name means a field.
    if (!this.#canQuote || !hasFields(shape)) return [];
    // Undefined fields are skipped, because they are not sent.
    const sent = unknown.slice(0, maxCompared).filter((name) => Object.hasOwn(read, name));
    return sent.flatMap((name) => {
      const meant = findMeantField(name, shape, read);
      if (meant === undefined) this.#reportMisplaced(name, shape);
      else if (meant.isPassed || meant.method !== undefined) this.#reportUnwanted(name, meant);
      else if (!shape.required.includes(meant.path))
        this.#reportUnknown(name, [...this.#path, meant.path].join('.'));
      return meant === undefined || meant.isPassed ? [] : [{ name, meant: meant.path }];
    });
  }

  #reportUnwanted(name: string, { path, method }: MeantField): void {
    const meant = [...this.#path, path].join('.');
    this.#reportUndocumented(
      name,
      method === undefined
        ? `, and ${meant} is also set. Remove one, or`
        : ` for this payment method, only ${meant} for ${method}. Remove it, or`,
    );
  }

  #reportMisplaced(name: string, within: RuntimeSchema): void {
    const isInObject = this.#path.length > 0 && this.#path.every((part) => typeof part === 'string');
    const { read, shape } = this.#outermost ?? {};
    if (!isInObject || shape === undefined || !hasFields(within)) return;
    const meant = findMisplacedField(name, shape, read, this.#path.length);
    if (meant !== undefined) this.#reportUnknown(name, meant);
  }

  #reportUnknown(name: string, meant: string): void {
    this.#reportUndocumented(name, `. Did you mean ${meant}? If not,`);
  }

  /** `extraBody` replaces a whole object of the same name. */
  #reportUndocumented(name: string, problem: string): void {
    if (!this.#isSent) return;
    const remedy = this.#path.length === 0 ? 'pass it in extraBody' : "set checks: { 'field.name': false }";
    this.#report(name, `is not in the API docs${problem} ${remedy}.`, 'field.name');
  }

  #report(field: string, message: string, check: SdkCheck | undefined): void {
    const path = [...this.#path, field].join('.').slice(0, maxPathLength);
    this.issues.push({ path, message, ...(check && { check }) });
  }

  reject(message: string, field?: string): undefined {
    const path = field === undefined ? this.#path : [...this.#path, field];
    this.issues.push({ path: path.join('.').slice(0, maxPathLength), message });
  }

  #readObject(input: object, shape: RuntimeSchema): unknown {
    if (this.#enclosing.includes(input)) return this.reject('refers back to an object that contains it');
    // Parsed JSON has its own depth limit.
    if (this.#isSent && this.#enclosing.length >= maxDepth)
      return this.reject(`is nested deeper than ${maxDepth} levels`);
    if (shape.type === 'file') return input;
    if (ArrayBuffer.isView(input)) return this.reject('must be a plain object or an array, not bytes');
    // JSON.stringify also writes the primitive inside these objects.
    if (input instanceof String || input instanceof Number || input instanceof Boolean)
      return this.read(input.valueOf(), shape);
    const { then, toJSON } = input as { readonly then?: unknown; readonly toJSON?: unknown };
    if (typeof then === 'function') return this.reject(awaitItFirst);
    if (input instanceof Date && Number.isNaN(input.getTime())) return this.reject('must be a valid date');
    const json: unknown = typeof toJSON === 'function' ? toJSON.call(input) : input;
    // Rejects instances of built-in classes, such as a Map or a URLSearchParams, because JSON would write an
    // empty object for them. Object literals, the most common case, skip this check.
    const isLiteral = Object.getPrototypeOf(input) === Object.prototype;
    const expected = shape.type === 'array' ? 'an array' : undefined;
    const problem =
      json === input && !isLiteral && !Array.isArray(input) ? objectProblem(input, expected) : undefined;
    if (problem !== undefined) return this.reject(problem);
    this.#enclosing.push(input);
    const read =
      json !== input
        ? this.read(json, shape)
        : Array.isArray(input)
          ? this.#readList(input, shape)
          : this.#readFields(input as Fields, shape);
    this.#enclosing.pop();
    return read;
  }

  #readList(value: readonly unknown[], shape: RuntimeSchema): unknown {
    if (shape.type !== 'array' && shape.type !== 'any') return this.#check(value, shape);
    const { entries = anything } = shape;
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      list.push(this.readField(index, value[index] ?? null, entries) ?? null);
    }
    return this.#check(list, shape, true);
  }

  #readFields(input: Fields, shape: RuntimeSchema): unknown {
    if (shape.type !== 'object' && shape.type !== 'any') return this.#check(input, shape);
    // An object to be sent is copied, so that exactly the checked values are sent. All properties of the copy
    // are its own, so that writing to it never changes a prototype.
    const read: Record<string, unknown> = this.#isSent ? { ...input } : (input as Record<string, unknown>);
    const names = Object.keys(read);
    const unknown: string[] = [];
    this.#outermost ??= { read, shape };
    for (const name of names) {
      const field = shape.fields[name];
      if (field === undefined) {
        this.noteUnknown(name);
        unknown.push(name);
      }
      const value = name === '__proto__' ? undefined : read[name];
      const issues = this.issues.length;
      const entry = value === undefined ? undefined : this.readField(name, value, field ?? anything);
      if (!this.#isSent) continue;
      // An undefined field is removed, because JSON would not carry it. A rejected field is also undefined
      // here, but it stays, so that it does not count as missing.
      if (entry === undefined && this.issues.length === issues) delete read[name];
      else read[name] = entry;
    }
    const misspelt = unknown.length === 0 ? none : this.findMisspelt(unknown, shape, read);
    for (const name of shape.required)
      if (!Object.hasOwn(read, name) || (!this.#isSent && read[name] === undefined))
        this.reportMissing(name, shape.fields[name] as RuntimeSchema, misspelt);
    if (shape.isStrict) for (const name of unknown) this.reject('is an unknown field', name);
    return read;
  }

  /** The caller sends nothing if there is an issue. */
  #check(value: unknown, shape: RuntimeSchema, isOfType = hasType(value, shape)): unknown {
    if (!isOfType) {
      if (value === undefined ? !shape.isOptional : !(value === null && shape.isNullable))
        this.reject(typeProblem(value, shape, this.#canQuote));
      return value;
    }
    for (const [accepts, message, isLast] of shape.rules) {
      if (accepts(value as never)) continue;
      this.reject(message);
      if (isLast) break;
    }
    return value;
  }
}

const bigintAlternatives: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['string', 'a string'],
  ['any', 'a number or a string'],
]);

/** Other objects, such as `metadata`, accept any field. */
const hasFields = ({ fields }: RuntimeSchema): boolean => Object.keys(fields).length > 0;

/** Returns false for objects and lists, which `read` handles before if they have the right type. */
function hasType(value: unknown, { type, values }: RuntimeSchema): boolean {
  if (type === 'any' || type === 'custom') return true;
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value !== 'object' && (typeof value === type || values.includes(value));
}

function typeProblem(value: unknown, { type, values, otherType }: RuntimeSchema, canQuote: boolean): string {
  if (type === 'one of')
    return `${value === undefined ? 'is required:' : 'must be'} one of ${values.join(', ')}`;
  if (value === undefined) return 'is required';
  if (type === 'file') return 'must be a file';
  const expected = type === 'integer' && typeof value !== 'number' ? 'number' : type;
  return (
    (canQuote ? otherType?.(value) : undefined) ?? `must be ${article(expected)}, not ${typeName(value)}`
  );
}
