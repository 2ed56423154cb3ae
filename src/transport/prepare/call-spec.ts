import type { FieldTable } from '../../contract/fields.js';
import type { Operation } from '../../contract/operation.js';

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
    | 'fields'
    | 'secrets'
    | 'public'
    | 'idempotencyKey'
    | 'sameKey'
    | 'replay'
    | 'onUnknown'
    | 'rateLimit'
  > {
  readonly method: string;
  /** `json`: an object or a list. `unspecified`: undocumented, so any body is accepted. `none`: the body is not read. */
  readonly result: Operation['result'] | 'json' | 'none';
  /** The wire names of the secret fields, if the body is sent under the names that the caller gave. */
  readonly secretFields?: FieldTable;
  /** The caller gave the complete path: it has no `{parameters}` to fill. */
  readonly pathIsGiven?: boolean;
}

/** Whether a call changes nothing on the platform. A token request counts as a read. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;
