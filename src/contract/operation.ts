import type { Issue } from '../validation/issue.js';
import type { RateLimitGroup } from './limits.js';
import { uuidPattern } from './patterns.js';

/** Whether an operation can be sent twice without harm. */
export type Replay =
  /** Always: the operation changes nothing, or repeating it leads to the same state. */
  | 'natural'
  /** With an idempotency key: the platform responds to a repeated key with the first result. */
  | 'keyed'
  /** Never: the platform can execute a repeated request twice. */
  | 'never';

/** The fields of a body that is not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const has = (body: Fields, name: string): boolean => body[name] !== undefined;

/** The type of a path parameter. Pass an integer beyond 2^53 as a string of digits. */
export type ParamKind = 'uuid' | 'integer' | 'text';

/**
 * One endpoint of the platform, as plain data. The client, the sandbox and the documentation generator use
 * it.
 */
export interface Operation<Id extends string = string> {
  /** The client's namespace and method, such as `payments.create`. */
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** The path after the base address, with parameters in braces. */
  readonly path: string;
  /** True for an endpoint that needs no credentials, because it issues them. */
  readonly public?: true;
  readonly params?: Readonly<Record<string, ParamKind>>;
  /** The encoding of the body. With `multipart`, objects in form fields are sent as JSON strings. */
  readonly encoding: 'json' | 'multipart' | 'none';
  /** Checks rules between fields, and returns an issue for each broken rule. */
  readonly rules?: (body: Fields) => readonly Issue[];
  readonly idempotencyKey: 'required' | 'optional' | 'none';
  /**
   * The platform's response to a repeated key (API docs, Errors, idempotency rules).
   *
   *
   * - `first-response`: the first response. A 409 means that the key was used with another payload.
   * - `current-state`: the created object in its present state. A 409 means that the first attempt ended in
   * an unknown state, and that the key stays protected.
   * - Absent: undocumented.
   */
  readonly repeatedKeyGets?: 'first-response' | 'current-state';
  readonly replay: Replay;
  /**
   * Advice for the error message after an unknown outcome: whether the result can exist, and what to do.
   * `{key}` stands for the idempotency key. Default: the advice for `replay`.
   */
  readonly adviceIfUnknown?: string;
  /** Maps each response field that repeats a field of the request to the request field's name. */
  readonly echoes?: Readonly<Record<string, string>>;
  /** Advice for the message of a 404. */
  readonly hintIfNotFound?: string;
  readonly rateLimit?: RateLimitGroup;
  /** The success status, if documented. */
  readonly success?: 202;
  /** The kind of body in a success response. `unspecified`: undocumented. */
  readonly result: 'object' | 'file' | 'unspecified';
  /**
   * The errors that the API docs (Errors) document for this operation only. 403: the feature is not enabled
   * for the merchant. 404: the object can belong to another account.
   */
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

/** The fields of an operation that have a default. */
type Common = 'replay' | 'result';
type Description = Omit<Operation, Common> & Partial<Pick<Operation, Common>>;

type OperationDefinition<Definition> = Definition & {
  readonly replay: Replay;
  readonly result: Definition extends { readonly result: infer Result } ? Result : 'object';
};

/**
 * Returns the default of `replay`: reads can be retried, and writes only if the platform recognises their
 * idempotency key.
 */
function defaultReplay({ method, repeatedKeyGets }: Description): Replay {
  if (method === 'GET' || method === 'HEAD') return 'natural';
  return repeatedKeyGets === undefined ? 'never' : 'keyed';
}

/**
 * Describes an endpoint, with the types of its body, query and result. By default, the result is an object,
 * and a write is retried only if the platform recognises its idempotency key.
 */
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

/** The arguments of an operation: exactly its parameters, its query, and its body or form. */
export type ArgumentsOf<Of extends Operation> = ([ParamNames<Of['path']>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Of> }) &
  ([QueryOf<Of>] extends [never] ? { readonly query?: never } : { readonly query: QueryOf<Of> }) &
  (Of['encoding'] extends 'json' ? { readonly body: BodyOf<Of> } : { readonly body?: never }) &
  (Of['encoding'] extends 'multipart' ? { readonly form: BodyOf<Of> } : { readonly form?: never });

/** Matches each kind of path parameter. */
export const paramForms: Readonly<Record<ParamKind, RegExp>> = {
  uuid: uuidPattern,
  integer: /^\d{1,30}$/,
  text: /^[^/]+$/,
};

/** Checks that a complete path matches an operation, with parameters of the right kind. */
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
