import { z } from 'zod';
import { type Open, object } from './common.js';
import { operation } from './operation.js';

/** A withdrawal of a sub-account (API document, Withdrawal). */
export interface Withdrawal {
  /** An integer, not a UUID. One beyond 2^53 comes as the text of its digits, which `retrieve` takes. */
  withdraw_id: number;
  /** Other values than `pending` are not shown. */
  status: Open<'pending'>;
}

/** The answer to POST /v1/submerchants/withdrawals: only `withdraw_id` is shown. */
export interface CreatedWithdrawal {
  /** An integer, not a UUID. One beyond 2^53 comes as the text of its digits, which `retrieve` takes. */
  withdraw_id: number;
  status?: Open<'pending'>;
  [field: string]: unknown;
}

/** An integer; beyond 2^53, where a number would be another one, the text of its digits. */
const withdrawId = z
  .custom<number | string>(
    (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,30}$/.test(value)),
    'must be an integer',
  )
  .meta({ type: 'integer' });

export const createWithdrawal = operation({
  id: 'submerchants.withdrawals.create',
  method: 'POST',
  path: '/v1/submerchants/withdrawals',
  section: 'Withdrawals',
  encoding: 'json',
  idempotencyKey: 'none',
  // No key is shown for it, and a repeat could pay out twice.
  replay: 'never',
  conflict: 'unspecified',
  request: object,
  response: z.looseObject({ withdraw_id: withdrawId }),
});

export const retrieveWithdrawal = operation({
  id: 'submerchants.withdrawals.retrieve',
  method: 'GET',
  path: '/v1/submerchants/withdrawals/{withdrawId}',
  section: 'Withdrawals',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  params: { withdrawId },
  // Other statuses than pending are not shown: none of them is a departure.
  response: z.strictObject({ withdraw_id: withdrawId, status: z.string() }),
});
