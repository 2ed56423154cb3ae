import type { Issue } from '../validation/issue.js';
import type { RateLimitGroup } from './limits.js';
import { uuidForm } from './patterns.js';

/** When it is harmless to send a call twice. */
export type Replay =
  /** Always: the operation changes nothing, or a second call leads to the same state. */
  | 'natural'
  /** With an idempotency key: the platform answers the second call with the result of the first. */
  | 'keyed'
  /** Never. */
  | 'never';

/** The fields of a body that was not checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a field is present. */
export const has = (body: Fields, name: string): boolean => body[name] !== undefined;

/** The type of a path parameter. Pass an integer beyond 2^53 as a string of digits. */
export type ParamKind = 'uuid' | 'integer' | 'text';

/** One endpoint of the platform, as plain data. The client, the sandbox and the generated docs read it. */
export interface Operation<Id extends string = string> {
  /** The namespace and the method of the client. */
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Relative to the base address; parameters in braces. */
  readonly path: string;
  /** It needs no credentials, because it issues them. */
  readonly public?: true;
  readonly params?: Readonly<Record<string, ParamKind>>;
  /** `multipart`: form fields; an object among them is sent as a JSON string. */
  readonly encoding: 'json' | 'multipart' | 'none';
  /** Rules between fields: an issue for each that is broken. */
  readonly rules?: (body: Fields) => readonly Issue[];
  readonly idempotencyKey: 'required' | 'optional' | 'none';
  /**
   * The platform's response to a repeated key (API docs, Errors, idempotency rules). `first-response`: the first
   * response; a 409 means that the key was used with another payload. `current-state`: the created object in its
   * present state; a 409 means that the first attempt ended in an unknown state and that the key stays protected.
   * Absent: undocumented.
   */
  readonly repeatedKeyGets?: 'first-response' | 'current-state';
  readonly replay: Replay;
  /** Whether it may exist, and the remedy, for the error message. `{key}` is the idempotency key. Default: by `replay`. */
  readonly adviceIfUnknown?: string;
  /** The remedy for a 404, for the error message. */
  readonly hintIfNotFound?: string;
  readonly rateLimit?: RateLimitGroup;
  /** The status of success, if it is documented. */
  readonly success?: 202;
  /** The body of a success. */
  readonly result: 'object' | 'file' | 'unspecified';
  /**
   * Errors documented for this operation only (API docs, Errors). 403: the feature is not enabled for the merchant.
   * 404: the object may belong to another account.
   */
  readonly errors?: { readonly [Status in 403 | 404]?: true };
}

/** The types of a call: its body, its query and its result. */
export interface CallTypes {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly result: object;
}

declare const types: unique symbol;

/** Carries the types of a call. It exists only as a type. */
export interface WithTypes<Types extends CallTypes = CallTypes> {
  readonly [types]?: Types;
}

/** An operation as it is written in the contract. Fields with a common default are optional. */
type Common = 'replay' | 'result';
type Description = Omit<Operation, Common> & Partial<Pick<Operation, Common>>;

type OperationDefinition<Definition> = Definition & {
  readonly replay: Replay;
  readonly result: Definition extends { readonly result: infer Result } ? Result : 'object';
};

/** Reads can be repeated. Writes can be repeated only if the platform recognises their key. */
function defaultReplay({ method, repeatedKeyGets }: Description): Replay {
  if (method === 'GET' || method === 'HEAD') return 'natural';
  return repeatedKeyGets === undefined ? 'never' : 'keyed';
}

/**
 * Describes an endpoint, with the types of its body, its query and its result. Unless the description says
 * otherwise, the result is an object, and a write is sent again
 * only if the platform knows its key.
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
    // Without a prototype, so that a policy that is absent is not found on a changed Object.prototype.
    return Object.freeze(Object.assign(Object.create(null), definition)) as OperationDefinition<Definition> &
      WithTypes<Types>;
  };

type TypesOf<Of> = Of extends WithTypes<infer Types> ? Types : never;

type PartOf<Of, Part extends keyof CallTypes> =
  TypesOf<Of> extends { readonly [Name in Part]: infer Value } ? Value : never;

/** The body or the form of an operation. */
export type BodyOf<Of> = PartOf<Of, 'body'>;

/** The query of an operation. */
export type QueryOf<Of> = PartOf<Of, 'query'>;

/** The result of an operation. */
export type ResultOf<Of> = PartOf<Of, 'result'> & object;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The parameters of the path of an operation. */
type ParamsOf<Of extends Operation> = {
  readonly [Name in ParamNames<Of['path']>]: Of extends {
    readonly params: { readonly [Param in Name]: 'integer' };
  }
    ? number | string
    : string;
};

/** The arguments of an operation: exactly the parameters, the query, and the body or form that it takes. */
export type ArgumentsOf<Of extends Operation> = ([ParamNames<Of['path']>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Of> }) &
  ([QueryOf<Of>] extends [never] ? { readonly query?: never } : { readonly query: QueryOf<Of> }) &
  (Of['encoding'] extends 'json' ? { readonly body: BodyOf<Of> } : { readonly body?: never }) &
  (Of['encoding'] extends 'multipart' ? { readonly form: BodyOf<Of> } : { readonly form?: never });

/** How each kind of parameter is written in a path. */
export const paramForms: Readonly<Record<ParamKind, RegExp>> = {
  uuid: uuidForm,
  integer: /^\d{1,30}$/,
  text: /^[^/]+$/,
};

/** Whether a complete path is one of an operation, with parameters of the right kind. */
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
