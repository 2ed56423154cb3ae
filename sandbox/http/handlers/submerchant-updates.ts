import { invalidIf, type OptionReaders, readerFor } from '../../../src/validation/options.js';
import { isRecord } from '../../../src/validation/record.js';
import type { Call } from '../handler.js';
import { createProblem, json, requireFound } from '../responses.js';
import { noSubAccount, summarize } from './submerchant-handlers.js';

/**
 * The routes of updates that the API docs mention without a path. A route is a method and a path, such as
 * `PATCH /v1/submerchants/{internalId}/fees`.
 */
export interface SubmerchantUpdates {
  /** The route that updates the fees, such as `PATCH /v1/submerchants/{internalId}/fees`. */
  fees?: string | undefined;
  /** The route that updates the bank account. */
  bankAccount?: string | undefined;
}

export interface UpdateRoute {
  readonly method: string;
  /** Contains `{internalId}`. */
  readonly path: string;
}

const form = /^(POST|PUT|PATCH) (\/v1\/submerchants\/(?:[\w.-]+\/)*\{internalId\}(?:\/[\w.-]+)*)$/;
const registrationUpdate = 'PATCH /v1/submerchants/{internalId}';

function pathProblem(value: unknown): string | undefined {
  if (value === registrationUpdate) return 'is the path of the update of registration data';
  return typeof value === 'string' && form.test(value)
    ? undefined
    : "must be a method and a path below /v1/submerchants, such as 'PATCH /v1/submerchants/{internalId}/fees'";
}

const aRoute = invalidIf<string>(pathProblem);

export const submerchantUpdatesReader = readerFor<OptionReaders<SubmerchantUpdates>>({
  fees: aRoute,
  bankAccount: aRoute,
});

export function updateRoutes(updates: SubmerchantUpdates = {}): UpdateRoute[] {
  return Object.values(updates).flatMap((value: string | undefined): UpdateRoute[] => {
    const [, method, path] = form.exec(value ?? '') ?? [];
    return method === undefined || path === undefined ? [] : [{ method, path }];
  });
}

/** Stores nothing, because neither the body nor the response is documented. */
export function updateSubmerchant({ merchant, params, body }: Pick<Call, 'merchant' | 'params' | 'body'>) {
  const account = requireFound(merchant.accounts.find(params.internalId ?? ''), noSubAccount);
  if (!isRecord(body)) return createProblem(400, 'invalid_body', 'The body must be a JSON object.');
  return json(200, summarize(account));
}
