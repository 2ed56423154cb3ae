import type { SdkCheck } from './sdk-checks.js';

/** A check of a value of the right type, and the message for a value that fails it. */
export type Rule = readonly [accepts: (value: never) => boolean, message: string, isLast?: true];

/** The type of a value in JSON. A `file` exists in forms only. */
export type ShapeType =
  | 'any'
  | 'array'
  | 'boolean'
  | 'custom'
  | 'file'
  | 'integer'
  | 'number'
  | 'object'
  | 'one of'
  | 'string';

/** The rules and notes for one value of a body, compiled from the schemas (`generated/`). */
export class Shape {
  readonly type: ShapeType;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** Whether other fields than `fields` are undocumented, rather than allowed. */
  readonly isStrict: boolean;
  readonly isSecret: boolean;
  /** The key of its name in the option `fieldNames`, if the API docs do not state the name. */
  readonly key: string | undefined;
  /** The check of this package that requires it, if the API docs do not. */
  readonly requiredBy: SdkCheck | undefined;
  /** Without a prototype: a field may have the name of a property of all objects. */
  readonly fields: Readonly<Record<string, Shape>>;
  /** The names of the fields that are not optional. */
  readonly required: readonly string[];
  readonly entries: Shape | undefined;
  readonly values: readonly unknown[];
  readonly rules: readonly Rule[];
  /** Brings a string into the documented format. Other strings stay as they are. */
  readonly normalize: ((text: string) => string) | undefined;
  /** The message for a value of another type, if it says more than the type. */
  readonly otherType: ((value: unknown) => string | undefined) | undefined;

  constructor(type: ShapeType, given: Partial<Omit<Shape, 'type' | 'required'>> = {}) {
    this.type = type;
    this.isOptional = given.isOptional ?? false;
    this.isNullable = given.isNullable ?? false;
    this.isStrict = given.isStrict ?? false;
    this.isSecret = given.isSecret ?? false;
    this.key = given.key;
    this.requiredBy = given.requiredBy;
    this.fields = Object.assign(Object.create(null), given.fields);
    this.required = Object.keys(this.fields).filter((name) => this.fields[name]?.isOptional === false);
    this.entries = given.entries;
    this.values = given.values ?? [];
    this.rules = given.rules ?? [];
    this.normalize = given.normalize;
    this.otherType = given.otherType;
  }
}

/** The dotted paths of the secret fields of a shape; an empty path if all of it is secret. */
export function secretPaths({ isSecret, fields }: Shape, path = ''): readonly string[] {
  if (isSecret) return [path];
  return Object.entries(fields).flatMap(([name, field]) =>
    secretPaths(field, path === '' ? name : `${path}.${name}`),
  );
}

/** Any value that JSON carries. */
export const anything = new Shape('any', { isOptional: true, isNullable: true });

/** The shapes of the query, the body and the response of an operation, as far as they are known. Each is an own property. */
export interface Shapes {
  readonly query: Shape | undefined;
  readonly request: Shape | undefined;
  readonly response: Shape | undefined;
}
