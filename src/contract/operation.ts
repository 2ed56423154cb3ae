import type { ZodType } from 'zod';
import { isRecord } from '../input/record.js';
import type { NameGroup } from './assumptions.js';
import type { RateLimitGroup } from './limits.js';

/** When sending a call a second time is harmless. */
export type Replay =
  /** Always: the operation changes nothing, or changes it to the same state. */
  | 'natural'
  /** With an idempotency key: the platform answers the repeat with the first result. */
  | 'keyed'
  /** Never. */
  | 'never';

/** What a 409 means on an operation (API document, Errors). */
type Conflict =
  /** The first attempt ended in an unknown state, and the key stays protected. */
  | 'outcome-unknown'
  /** The key was used before with another payload. */
  | 'key-reused'
  /** Not shown. */
  | 'unspecified';

/** The fields of a body, before anything is known about them. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the API document states about fields that depend on each other. */
export interface Rule {
  /** Where the problem is shown. */
  readonly path: readonly string[];
  readonly message: string;
  readonly broken: (body: Fields) => boolean;
}

/** One endpoint of the platform, as a value. The client, the sandbox and the docs all read it. */
export interface Operation<Id extends string = string> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Relative to the base address; parameters in braces. */
  readonly path: string;
  /** The part of the API document that describes it. */
  readonly section: string;
  /** `multipart`: form fields; an object among them is sent as a JSON string. */
  readonly encoding: 'json' | 'multipart' | 'none';
  /** It is how credentials are obtained, so it does not ask for them. */
  readonly public?: true;
  readonly idempotencyKey: 'required' | 'optional' | 'none';
  readonly replay: Replay;
  readonly conflict: Conflict;
  readonly rateLimit?: RateLimitGroup;
  /** The group of names in `assumptions.ts` that the bodies, or the query, of this operation use. */
  readonly names?: NameGroup;
  /** What the parameters of the path must be; any other is text. */
  readonly params?: Readonly<Record<string, ZodType>>;
  /** Form fields that carry files. */
  readonly files?: readonly string[];
  /** Form fields that carry an object, as a JSON string. */
  readonly objects?: readonly string[];
  /** What brings a text field into the document's form; a text it does not understand stays as it is. */
  readonly normal?: Readonly<Record<string, (text: string) => string>>;
  readonly query?: ZodType;
  /** Strict on what the API document states about single fields, silent on the rest. */
  readonly request?: ZodType;
  /** Held against every body that is an object, so that one rejection names every problem. */
  readonly rules?: readonly Rule[];
  /** The status of success, where the API document shows it. */
  readonly success?: 202;
  /** What an answer is held against; a mismatch is reported, never thrown. */
  readonly response: ZodType | 'file' | 'unspecified';
}

export function operation<const Id extends string>(definition: Operation<Id>): Operation<Id> {
  return Object.freeze(definition);
}

/** The rules between fields that a body breaks. */
export function brokenRules(
  { rules = [] }: Pick<Operation, 'rules'>,
  body: unknown,
): { path: string; message: string }[] {
  if (!isRecord(body)) return [];
  const broken = rules.filter((rule) => rule.broken(body));
  return broken.map(({ path, message }) => ({ path: path.join('.'), message }));
}
