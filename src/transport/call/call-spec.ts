import type { Operation } from '../../contract/operation.js';
import type { RuntimeSchema, RuntimeSchemas } from '../../contract/runtime-schema.js';
import type { Schema } from '../../contract/schema-drift.js';
import type { FailedOperation } from '../../errors/base.js';

/** Describes a call without its arguments: an operation of the contract, or the input of `platform.request`. */
export interface CallSpec
  extends Pick<
    Operation,
    | 'id'
    | 'path'
    | 'params'
    | 'encoding'
    | 'rules'
    | 'public'
    | 'idempotencyKey'
    | 'repeatedKeyGets'
    | 'replay'
    | 'adviceIfUnknown'
    | 'hintIfNotFound'
    | 'errors'
    | 'rateLimit'
  > {
  readonly method: string;
  /** `json`: an object or a list. `unspecified`: undocumented, so any body is accepted. `none`: the body is not read. */
  readonly result: Operation['result'] | 'json' | 'none';
  /** The caller gave the complete path: it has no `{parameters}` to fill. */
  readonly pathIsGiven?: boolean;
  /** The path template of the operation that a raw path belongs to. */
  readonly template?: string;
}

/** The shapes that a call's query, body and response are checked against. */
export interface CallSchemas extends Omit<RuntimeSchemas, 'response'> {
  /** A schema of the caller, in `platform.request`. */
  readonly response: RuntimeSchema | Schema | undefined;
}

/** Whether a call changes nothing on the platform. A token request counts as a read. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;

/** Whether a segment names an endpoint or a version, rather than something or somebody. */
const isFixed = (segment: string) => /^(?:v\d{1,3}|[a-z]+(?:[-_][a-z]+)*)?$/.test(segment);

/** Describes a call in its error, hooks and span. Ids are left out of the path: they identify persons. */
export function redactedOperation({ id, method, path, template, pathIsGiven }: CallSpec): FailedOperation {
  const hideIds = (value: unknown) =>
    String(value)
      .split('?', 1)
      .flatMap((whole) => whole.split('/', maxSegments))
      .map((segment) => (isFixed(segment) ? segment : '{id}'))
      .join('/');
  return { operation: id, method, path: template ?? (pathIsGiven ? hideIds(path) : path) };
}

/** Of a longer path the rest is left out. */
const maxSegments = 20;
