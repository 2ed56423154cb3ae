import { z } from 'zod';
import { integer, type Open, object } from './common.js';
import { operation } from './operation.js';

/** A withdrawal of a sub-account (API document, Withdrawal). */
export interface Withdrawal {
  /** An integer, not a UUID. */
  withdraw_id: number;
  /** Other values than `pending` are not shown. */
  status: Open<'pending'>;
}

/** The answer to POST /v1/submerchants/withdrawals: only `withdraw_id` is shown. */
export interface CreatedWithdrawal {
  /** An integer, not a UUID. */
  withdraw_id: number;
  status?: Open<'pending'>;
  [field: string]: unknown;
}

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
  response: z.looseObject({ withdraw_id: integer }),
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
  params: { withdrawId: integer },
  response: z.strictObject({ withdraw_id: integer, status: z.literal('pending') }),
});
