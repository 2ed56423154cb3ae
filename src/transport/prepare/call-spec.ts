import type { FieldTable } from '../../contract/fields.js';
import type { Operation } from '../../contract/operation.js';
import type { FailedOperation } from '../../errors/base.js';

/** Describes a call without its arguments: an operation of the contract, or the input of `platform.request`. */
export interface CallSpec
  extends Pick<
    Operation,
    | 'id'
    | 'path'
    | 'params'
    | 'encoding'
    | 'files'
    | 'normal'
    | 'rules'
    | 'requiredHere'
    | 'fields'
    | 'secrets'
    | 'public'
    | 'idempotencyKey'
    | 'sameKey'
    | 'replay'
    | 'onUnknown'
    | 'onNotFound'
    | 'errors'
    | 'rateLimit'
  > {
  readonly method: string;
  /** `json`: an object or a list. `unspecified`: undocumented, so any body is accepted. `none`: the body is not read. */
  readonly result: Operation['result'] | 'json' | 'none';
  /** The wire names of the secret fields, if the body is sent under the names that the caller gave. */
  readonly secretFields?: FieldTable;
  /** The caller gave the complete path: it has no `{parameters}` to fill. */
  readonly pathIsGiven?: boolean;
  /** The path of the operation to which a given path belongs. */
  readonly template?: string;
}

/** Whether a call changes nothing on the platform. A token request counts as a read. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;

/** A version, or words: what is part of an endpoint rather than the id of something or somebody. */
const fixedSegment = /^(?:v\d{1,3}|[A-Za-z]+(?:[-_][A-Za-z]+)*)$/;

/** Which call failed, for its error. Ids are left out of its path: they belong to persons. */
export function failedOperation({ id, method, path, template, pathIsGiven }: CallSpec): FailedOperation {
  const shown = (given: unknown) =>
    String(given)
      .split('?', 1)
      .flatMap((whole) => whole.split('/', maxSegments))
      .map((segment) => (segment === '' || fixedSegment.test(segment) ? segment : '{id}'))
      .join('/');
  return { operation: id, method, path: template ?? (pathIsGiven ? shown(path) : path) };
}

/** Of a longer path the rest is left out. */
const maxSegments = 20;
