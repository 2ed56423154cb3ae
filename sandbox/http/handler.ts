import type { OperationId, operations } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import type { Issue } from '../../src/validation/issue.js';
import type { ResponseName } from '../defaults/statuses.js';
import type { Feature } from '../merchants/features.js';
import type { Merchant } from '../merchants/merchant.js';

/** An authenticated request, passed to a handler. */
export interface Call {
  /** The owner of the credentials. */
  readonly merchant: Merchant;
  /** The parsed body; undefined if the operation has none. */
  readonly body: unknown;
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The URL's query parameters. */
  readonly query: Readonly<Record<string, string>>;
  /** Paths of the body fields that were sent, but that the sandbox does not read. */
  readonly ignored: readonly string[];
  readonly idempotencyKey: string | undefined;
  /** The address that the request used, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Set by the fault `acquirer-unknown`: the acquirer does not respond. */
  readonly acquirerFails: boolean;
}

/** Handles one operation. All parts run synchronously, so that concurrent requests do not interleave. */
export interface Handler {
  /** The features that the merchant needs for this call. */
  readonly features?: (call: Call) => readonly Feature[];
  /** Finds problems in the request that the contract's rules do not cover. */
  readonly issues?: (call: Call) => readonly Issue[];
  /** The key in the `statuses` option for the status of invalid requests. Default: the documented 400. */
  readonly invalid?: ResponseName;
  /** Whether an option of this sandbox allows a request that the contract rejects. */
  readonly accepts?: (objection: Issue, call: Call) => boolean;
  /**
   * The fields that the handler reads. Needed if the contract leaves the body open or allows additional
   * fields.
   */
  readonly reads?: 'everything' | readonly string[];
  /** Called only if there are no problems. */
  readonly run: (call: Call) => Response | Promise<Response>;
}

/** A token request, which contains its credentials. */
interface TokenCall {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Handles an operation that needs no credentials. */
export interface PublicHandler {
  readonly run: (call: TokenCall) => Response;
}

export type AnyOperation = Operation<OperationId>;

/** The ids of public operations. */
export type PublicId = Extract<(typeof operations)[number], { readonly public: true }>['id'];

export const isPublic = (operation: AnyOperation): operation is Operation<PublicId> =>
  operation.public === true;

/** A handler for each operation of the contract. A missing handler does not compile. */
export type Handlers = {
  readonly [Id in OperationId]: Id extends PublicId ? PublicHandler : Handler;
};
