import type { SdkCheck } from './sdk-checks.js';

/** If a value fails a rule with `isLast`, the later rules are skipped. */
export type Rule = readonly [accepts: (value: never) => boolean, message: string, isLast?: true];

/** A `file` exists in forms only. */
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

export class RuntimeSchema {
  readonly type: RuntimeType;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly isStrict: boolean;
  readonly isSecret: boolean;
  /** The field's key in the `fieldNames` option, if the API docs do not state its name. */
  readonly key: string | undefined;
  /** The SDK check that requires the field, if the API docs do not require it. */
  readonly requiredBy: SdkCheck | undefined;
  /**
   * The object lacks a prototype, because a field can have the name of an inherited property, such as
   * `constructor`.
   */
  readonly fields: Readonly<Record<string, RuntimeSchema>>;
  readonly required: readonly string[];
  readonly entries: RuntimeSchema | undefined;
  readonly values: readonly unknown[];
  readonly rules: readonly Rule[];
  /** Other strings stay unchanged. */
  readonly normalize: ((text: string) => string) | undefined;
  /** Returns the message for a value of the wrong type, if the default message says too little. */
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

/** An empty path stands for the whole value. */
export function listSecretPaths({ isSecret, fields }: RuntimeSchema, path = ''): readonly string[] {
  if (isSecret) return [path];
  return Object.entries(fields).flatMap(([name, field]) =>
    listSecretPaths(field, path === '' ? name : `${path}.${name}`),
  );
}

export const anything = new RuntimeSchema('any', { isOptional: true, isNullable: true });

export interface RuntimeSchemas {
  readonly query: RuntimeSchema | undefined;
  readonly request: RuntimeSchema | undefined;
  readonly response: RuntimeSchema | undefined;
}
