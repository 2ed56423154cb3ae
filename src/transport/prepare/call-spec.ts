import type { Operation } from '../../contract/operation.js';

/** What is known of a call before its arguments: an operation of the contract, or what `platform.request` is given. */
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
  /** `json`: an object or a list. `unspecified`: undocumented, so anything is one. `none`: nothing is read. */
  readonly result: Operation['result'] | 'json' | 'none';
  /** The caller wrote the path out: it has no braces to fill. */
  readonly pathIsGiven?: boolean;
}

/** Whether it changes nothing; a token request does not either, as far as a caller is concerned. */
export const isRead = ({ method, public: isPublic }: CallSpec): boolean =>
  method === 'GET' || method === 'HEAD' || isPublic === true;
