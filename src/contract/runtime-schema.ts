import type { SdkCheck } from './sdk-checks.js';

/** A check of a value of the right type, and the message for a value that fails it. */
export type Rule = readonly [accepts: (value: never) => boolean, message: string, isLast?: true];

/** The type of a value in JSON. A `file` exists in forms only. */
export type RuntimeType =
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
export class RuntimeSchema {
  readonly type: RuntimeType;
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
  readonly fields: Readonly<Record<string, RuntimeSchema>>;
  /** The names of the fields that are not optional. */
  readonly required: readonly string[];
  readonly entries: RuntimeSchema | undefined;
  readonly values: readonly unknown[];
  readonly rules: readonly Rule[];
  /** Brings a string into the documented format. Other strings stay as they are. */
  readonly normalize: ((text: string) => string) | undefined;
  /** The message for a value of another type, if it says more than the type. */
  readonly otherType: ((value: unknown) => string | undefined) | undefined;

  constructor(type: RuntimeType, input: Partial<Omit<RuntimeSchema, 'type' | 'required'>> = {}) {
    this.type = type;
    this.isOptional = input.isOptional ?? false;
    this.isNullable = input.isNullable ?? false;
    this.isStrict = input.isStrict ?? false;
    this.isSecret = input.isSecret ?? false;
    this.key = input.key;
    this.requiredBy = input.requiredBy;
    this.fields = Object.assign(Object.create(null), input.fields);
    this.required = Object.keys(this.fields).filter((name) => this.fields[name]?.isOptional === false);
    this.entries = input.entries;
    this.values = input.values ?? [];
    this.rules = input.rules ?? [];
    this.normalize = input.normalize;
    this.otherType = input.otherType;
  }
}

/** The dotted paths of the secret fields of a shape; an empty path if all of it is secret. */
export function secretPaths({ isSecret, fields }: RuntimeSchema, path = ''): readonly string[] {
  if (isSecret) return [path];
  return Object.entries(fields).flatMap(([name, field]) =>
    secretPaths(field, path === '' ? name : `${path}.${name}`),
  );
}

/** Any value that JSON carries. */
export const anything = new RuntimeSchema('any', { isOptional: true, isNullable: true });

/** The shapes of the query, the body and the response of an operation, as far as they are known. Each is an own property. */
export interface RuntimeSchemas {
  readonly query: RuntimeSchema | undefined;
  readonly request: RuntimeSchema | undefined;
  readonly response: RuntimeSchema | undefined;
}
