import type { Operation } from '../../contract/operation.js';
import type { RuntimeSchema, RuntimeSchemas } from '../../contract/runtime-schema.js';
import type { Schema } from '../../contract/schema-drift.js';
import type { FailedOperation } from '../../errors/base.js';

/**
 * The description of a call without its arguments: an operation of the contract, or the input of
 * `platform.request`.
 */
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
    | 'echoes'
    | 'hintIfNotFound'
    | 'errors'
    | 'rateLimit'
  > {
  readonly method: string;
  /**
   * The kind of body in a success response. `json`: an object or a list. `unspecified`: undocumented, so any
   * body is accepted. `none`: the body is not read.
   */
  readonly result: Operation['result'] | 'json' | 'none';
  /** True if the caller passed the complete path, without `{parameters}`. */
  readonly isCallerPath?: boolean;
  readonly template?: string;
}

export interface CallSchemas extends Omit<RuntimeSchemas, 'response'> {
  /** The shape of the response. In `platform.request`, it can be the caller's own schema. */
  readonly response: RuntimeSchema | Schema | undefined;
}

/** Checks whether a call changes nothing on the platform. A token request counts as a read. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;

/** Checks whether a path segment is the name of an endpoint or a version, and not an id. */
const isFixed = (segment: string) => /^(?:v\d{1,3}|[a-z]+(?:[-_][a-z]+)*)?$/.test(segment);

/** Describes a call in its error, hooks and span. The path contains no ids, because ids identify persons. */
export function redactedOperation({ id, method, path, template, isCallerPath }: CallSpec): FailedOperation {
  const hideIds = (value: unknown) =>
    String(value)
      .split('?', 1)
      .flatMap((whole) => whole.split('/', maxSegments))
      .map((segment) => (isFixed(segment) ? segment : '{id}'))
      .join('/');
  return { operation: id, method, path: template ?? (isCallerPath ? hideIds(path) : path) };
}

/** The maximum number of path segments. The rest of a longer path is left out. */
const maxSegments = 20;
