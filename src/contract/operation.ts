import { isRecord } from '../input/record.js';
import type { FieldTable } from './fields.js';
import type { RateLimitGroup } from './limits.js';

/** When sending a call a second time is harmless. */
export type Replay =
  /** Always: the operation changes nothing, or changes it to the same state. */
  | 'natural'
  /** With an idempotency key: the platform answers the repeat with the first result. */
  | 'keyed'
  /** Never. */
  | 'never';

/** The fields of a body, before anything is known about them. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the API document states about fields that depend on each other. */
export interface Rule {
  /** Where the problem is shown. */
  readonly path: readonly string[];
  readonly message: string;
  readonly broken: (body: Fields) => boolean;
}

/** What a parameter of a path must be. An integer beyond 2^53 is given as the text of its digits. */
export type ParamKind = 'uuid' | 'integer' | 'text';

/** One endpoint of the platform, as plain data. The client, the sandbox and the docs all read it. */
export interface Operation<Id extends string = string> {
  /** The namespace and the method of the client. */
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Relative to the base address; parameters in braces. */
  readonly path: string;
  /** One line for the docs. */
  readonly summary: string;
  /** The section of the API document that describes it. */
  readonly section: string;
  /** How a merchant comes to use it, where it is no method of the client. */
  readonly through?: string;
  /** It is how credentials are obtained, so it does not ask for them. */
  readonly public?: true;
  readonly params?: Readonly<Record<string, ParamKind>>;
  /** `multipart`: form fields; an object among them is sent as a JSON string. */
  readonly encoding: 'json' | 'multipart' | 'none';
  /** Form fields that carry files. */
  readonly files?: readonly string[];
  /** Form fields that carry an object, as a JSON string. */
  readonly objects?: readonly string[];
  /** What brings a text field into the documented form; a text it does not understand stays as it is. */
  readonly normal?: Readonly<Record<string, (text: string) => string>>;
  /** Held against every body that is an object, so that one rejection names every problem. */
  readonly rules?: readonly Rule[];
  /** The names of its bodies and its query, where one of them is assumed. */
  readonly fields?: { readonly [Part in 'request' | 'query' | 'response']?: FieldTable };
  /** What of the body is secret, by dotted path, whatever its name; `all`: every value. */
  readonly secrets?: 'all' | readonly string[];
  readonly idempotencyKey: 'required' | 'optional' | 'none';
  /**
   * How the platform answers a key that it knows (API document, Errors, idempotency rules).
   * `first-response`: with the first response; a 409 says that the key was used with another payload.
   * `current-state`: with what was created, as it is now; a 409 says that the first attempt ended in an
   * unknown state, and that the key stays protected. Absent: undocumented.
   */
  readonly sameKey?: 'first-response' | 'current-state';
  readonly replay: Replay;
  /** What to do when it may have been executed: the end of a sentence. Default: by `replay`. */
  readonly onUnknown?: string;
  readonly rateLimit?: RateLimitGroup;
  /** The status of success, where it is documented. */
  readonly success?: 202;
  /** What a success carries. */
  readonly result: 'object' | 'file' | 'unspecified';
  /** Errors that are documented of this operation, beyond those of all (API document, Errors). */
  readonly errors?: { readonly [Status in 403 | 404]?: string };
}

/** The types that a call of an operation has. */
export interface CallTypes {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly result: object;
}

declare const types: unique symbol;

/** Carries the types of a call; it exists in types only. */
export interface Typed<Types extends CallTypes = CallTypes> {
  readonly [types]?: Types;
}

/** An operation as it is written down: what most have in common can be left out. */
type Common = 'section' | 'replay' | 'result';
type Description = Omit<Operation, Common> & Partial<Pick<Operation, Common>>;

type Described<Given> = Given & {
  readonly section: string;
  readonly replay: Replay;
  readonly result: Given extends { readonly result: infer Result } ? Result : 'object';
};

/** A read changes nothing; a write is harmless to repeat where the platform knows its key again. */
function defaultReplay({ method, sameKey }: Description): Replay {
  if (method === 'GET' || method === 'HEAD') return 'natural';
  return sameKey === undefined ? 'never' : 'keyed';
}

/**
 * Describes an endpoint, with the types of its body, its query and its result. Unless the description says
 * otherwise, the section is called by method and path, the result is an object, and a write is sent again
 * only where the platform knows its key.
 */
export const operation =
  <Types extends CallTypes>() =>
  <const Given extends Description>(given: Given): Described<Given> & Typed<Types> => {
    const described: Operation = {
      section: `${given.method} ${given.path}`,
      replay: defaultReplay(given),
      result: 'object',
      ...given,
    };
    return Object.freeze(described) as Described<Given> & Typed<Types>;
  };

type TypesOf<Of> = Of extends Typed<infer Types> ? Types : never;

type PartOf<Of, Part extends keyof CallTypes> =
  TypesOf<Of> extends { readonly [Name in Part]: infer Value } ? Value : never;

/** The body, or the form, that an operation takes. */
export type BodyOf<Of> = PartOf<Of, 'body'>;

/** The query that an operation takes. */
export type QueryOf<Of> = PartOf<Of, 'query'>;

/** What an operation results in. */
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

/** The arguments of an operation: its parameters, its query, and its body or form; nothing that it does not take. */
export type ArgumentsOf<Of extends Operation> = ([ParamNames<Of['path']>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Of> }) &
  ([QueryOf<Of>] extends [never] ? { readonly query?: never } : { readonly query: QueryOf<Of> }) &
  (Of['encoding'] extends 'json' ? { readonly body: BodyOf<Of> } : { readonly body?: never }) &
  (Of['encoding'] extends 'multipart' ? { readonly form: BodyOf<Of> } : { readonly form?: never });

/** The rules between fields that a body breaks. */
export function brokenRules(
  { rules = [] }: Pick<Operation, 'rules'>,
  body: unknown,
): { path: string; message: string }[] {
  if (!isRecord(body)) return [];
  const broken = rules.filter((rule) => rule.broken(body));
  return broken.map(({ path, message }) => ({ path: path.join('.'), message }));
}
