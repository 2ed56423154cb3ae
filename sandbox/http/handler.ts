import type { OperationId, operations } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import type { Issue } from '../../src/validation/issue.js';
import type { ResponseName } from '../defaults/statuses.js';
import type { Feature } from '../merchants/features.js';
import type { Merchant } from '../merchants/merchant.js';

export interface Call {
  readonly merchant: Merchant;
  /** Undefined if the operation has no body. */
  readonly body: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Paths of the body fields that were sent, but that the sandbox does not read. */
  readonly ignored: readonly string[];
  readonly idempotencyKey: string | undefined;
  /** The address that the request used, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Set by the fault `acquirer-unknown`: the acquirer does not respond. */
  readonly acquirerFails: boolean;
}

/** All parts run synchronously, so that concurrent requests do not interleave. */
export interface Handler {
  readonly features?: (call: Call) => readonly Feature[];
  /** Problems that the contract's rules do not cover. */
  readonly issues?: (call: Call) => readonly Issue[];
  /** The key in the `statuses` option for the status of invalid requests. Default: the documented 400. */
  readonly invalid?: ResponseName;
  /** Whether an option of this sandbox allows a request that the contract rejects. */
  readonly accepts?: (objection: Issue, call: Call) => boolean;
  /** Needed if the contract leaves the body open or allows additional fields. */
  readonly reads?: 'everything' | readonly string[];
  /** Called only without problems. */
  readonly run: (call: Call) => Response | Promise<Response>;
}

interface TokenCall {
  readonly headers: Headers;
  readonly body: unknown;
}

export interface PublicHandler {
  readonly run: (call: TokenCall) => Response;
}

export type AnyOperation = Operation<OperationId>;

export type PublicId = Extract<(typeof operations)[number], { readonly public: true }>['id'];

export const isPublic = (operation: AnyOperation): operation is Operation<PublicId> =>
  operation.public === true;

/** A missing handler does not compile. */
export type Handlers = {
  readonly [Id in OperationId]: Id extends PublicId ? PublicHandler : Handler;
};
