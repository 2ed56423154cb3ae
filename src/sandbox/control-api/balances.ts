import type { Payment } from '../../contract/payments/types.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import type { Split, SplitEntry } from '../payments/split.js';

/**
 * What each sub-account has, in cents, by `internalId`: its parts of paid payments, without the withdrawals that did
 * not fail. The API has no balances, and refuses no withdrawal for one.
 */
export function balances({ control }: Sandbox): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const add = (internalId: string, cents: number) =>
    sums.set(internalId, (sums.get(internalId) ?? 0) + cents);
  for (const payment of control.payments.list({ status: 'paid' })) {
    for (const { internalId, amount } of partsOf(payment)) {
      if (internalId !== undefined) add(internalId, amount);
    }
  }
  for (const { internalId, status, amount } of control.withdrawals.list()) {
    if (status !== 'failed') add(internalId, -amount);
  }
  return sums;
}

/** A payment without split rules belongs to its sub-account as a whole. */
function partsOf({ split, subMerchant, amount }: Payment): Pick<SplitEntry, 'internalId' | 'amount'>[] {
  if (split !== undefined) return [...(split as unknown as Split).entries];
  const owner = subMerchant as { readonly internalId?: string } | undefined;
  return owner?.internalId === undefined ? [] : [{ internalId: owner.internalId, amount }];
}
