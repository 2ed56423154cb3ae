import type { Operation } from '../../contract/operation.js';
import type { RuntimeSchema, RuntimeSchemas } from '../../contract/runtime-schema.js';
import type { Schema } from '../../contract/schema-drift.js';
import type { FailedOperation } from '../../errors/base.js';

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
  /** `json`: an object or a list. `unspecified`: undocumented. `none`: the body is not read. */
  readonly result: Operation['result'] | 'json' | 'none';
  /** True if the caller passed the complete path, without `{parameters}`. */
  readonly isCallerPath?: boolean;
  readonly template?: string;
}

export interface CallSchemas extends Omit<RuntimeSchemas, 'response'> {
  readonly response: RuntimeSchema | Schema | undefined;
}

/** A token request counts as a read. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;

/** Matches the names of endpoints and versions, and no ids. */
const isFixed = (segment: string) => /^(?:v\d{1,3}|[a-z]+(?:[-_][a-z]+)*)?$/.test(segment);

/** The path contains no ids, because ids identify persons. */
export function redactedOperation({ id, method, path, template, isCallerPath }: CallSpec): FailedOperation {
  const hideIds = (value: unknown) =>
    String(value)
      .split('?', 1)
      .flatMap((whole) => whole.split('/', maxSegments))
      .map((segment) => (isFixed(segment) ? segment : '{id}'))
      .join('/');
  return { operation: id, method, path: template ?? (isCallerPath ? hideIds(path) : path) };
}

const maxSegments = 20;
