import type { Issue } from '../validation/issue.js';
import type { RateLimitGroup } from './limits.js';
import { uuidPattern } from './patterns.js';

/** Whether an operation can be sent twice without harm. */
export type Replay =
  /** Always: the operation changes nothing, or repeating it leads to the same state. */
  | 'natural'
  /** With an idempotency key: the platform executes a repeated key only once. */
  | 'keyed'
  /** Never: the platform can execute a repeated request twice. */
  | 'never';

/** The fields of a body that is not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const has = (body: Fields, name: string): boolean => body[name] !== undefined;

/** Pass an integer beyond 2^53 as a string of digits. */
export type ParamKind = 'uuid' | 'integer' | 'text';

export interface Operation<Id extends string = string> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly path: string;
  /** The operation itself issues the access token. */
  readonly public?: true;
  readonly params?: Readonly<Record<string, ParamKind>>;
  /** With `multipart`, objects in form fields are sent as JSON strings. */
  readonly encoding: 'json' | 'multipart' | 'none';
  /** `body` has no undefined fields. `given` is the caller's own. */
  readonly rules?: (body: Fields, given?: unknown) => readonly Issue[];
  readonly idempotencyKey: 'required' | 'optional' | 'none';
  /**
   * API docs, Errors, idempotency rules. With `first-response`, a 409 means that the key was used with
   * another payload. With `current-state`, it means that the first attempt ended in an unknown state. Absent:
   * undocumented.
   */
  readonly repeatedKeyGets?: 'first-response' | 'current-state';
  readonly replay: Replay;
  /** `{key}` stands for the idempotency key. Default: the advice for `replay`. */
  readonly adviceIfUnknown?: string;
  /** Maps each response field that repeats a field of the request to the request field's name. */
  readonly echoes?: Readonly<Record<string, string>>;
  readonly hintIfNotFound?: string;
  readonly rateLimit?: RateLimitGroup;
  readonly success?: 202;
  /** `unspecified`: undocumented. */
  readonly result: 'object' | 'file' | 'unspecified';
  /** 403: the feature is not enabled for the merchant. 404: the object can belong to another account. */
  readonly errors?: { readonly [Status in 403 | 404]?: true };
}

/** The types of a call: its body, query and result. */
export interface CallTypes {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly result: object;
}

declare const types: unique symbol;

/** Carries the types of a call. Exists only as a type. */
export interface WithTypes<Types extends CallTypes = CallTypes> {
  readonly [types]?: Types;
}

type Common = 'replay' | 'result';
type Description = Omit<Operation, Common> & Partial<Pick<Operation, Common>>;

type OperationDefinition<Definition> = Definition & {
  readonly replay: Replay;
  readonly result: Definition extends { readonly result: infer Result } ? Result : 'object';
};

function defaultReplay({ method, repeatedKeyGets }: Description): Replay {
  if (method === 'GET' || method === 'HEAD') return 'natural';
  return repeatedKeyGets === undefined ? 'never' : 'keyed';
}

export const operation =
  <Types extends CallTypes>() =>
  <const Definition extends Description>(
    input: Definition,
  ): OperationDefinition<Definition> & WithTypes<Types> => {
    const definition: Operation = {
      replay: defaultReplay(input),
      result: 'object',
      ...input,
    };
    return Object.freeze(definition) as OperationDefinition<Definition> & WithTypes<Types>;
  };

type TypesOf<Of> = Of extends WithTypes<infer Types> ? Types : never;

type PartOf<Of, Part extends keyof CallTypes> =
  TypesOf<Of> extends { readonly [Name in Part]: infer Value } ? Value : never;

export type BodyOf<Of> = PartOf<Of, 'body'>;

export type QueryOf<Of> = PartOf<Of, 'query'>;

export type ResultOf<Of> = PartOf<Of, 'result'> & object;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type ParamsOf<Of extends Operation> = {
  readonly [Name in ParamNames<Of['path']>]: Of extends {
    readonly params: { readonly [Param in Name]: 'integer' };
  }
    ? number | string
    : string;
};

export type ArgumentsOf<Of extends Operation> = ([ParamNames<Of['path']>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Of> }) &
  ([QueryOf<Of>] extends [never] ? { readonly query?: never } : { readonly query: QueryOf<Of> }) &
  (Of['encoding'] extends 'json' ? { readonly body: BodyOf<Of> } : { readonly body?: never }) &
  (Of['encoding'] extends 'multipart' ? { readonly form: BodyOf<Of> } : { readonly form?: never });

export const paramForms: Readonly<Record<ParamKind, RegExp>> = {
  uuid: uuidPattern,
  integer: /^\d{1,30}$/,
  text: /^[^/]+$/,
};

export function matchesPath({ path: template, params = {} }: Operation, path: string): boolean {
  const segments = path.split('/');
  const expected = template.split('/');
  return (
    segments.length === expected.length &&
    expected.every((part, index) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      const segment = segments[index] as string;
      return name === undefined ? part === segment : paramForms[params[name] ?? 'text'].test(segment);
    })
  );
}
