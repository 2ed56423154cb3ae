import type { Ledger } from '../payments/ledger.js';
import { netOf } from '../payments/split.js';
import type { Merchant } from './merchant.js';

/**
 * The balances of a merchant's sub-accounts in cents, by internalId: their shares of paid payments, less the
 * withdrawals that did not fail. What was refunded or charged back is not in it.
 */
export function balancesOf(merchant: Merchant, ledger: Ledger): ReadonlyMap<string, number> {
  const balances = new Map<string, number>(merchant.accounts.list().map(({ internalId }) => [internalId, 0]));
  const add = (internalId: string | undefined, amount: number) => {
    if (internalId !== undefined) balances.set(internalId, (balances.get(internalId) ?? 0) + amount);
  };
  for (const { merchant: owner, status, draft } of ledger.records) {
    if (owner !== merchant.number || status !== 'paid') continue;
    if (draft.split === undefined)
      add(draft.subMerchant?.internalId, netOf(draft.amount, merchant.behaviour.fee));
    else for (const { internalId, amount } of draft.split.entries) add(internalId, amount);
  }
  for (const { internalId, status, amount } of merchant.withdrawals.list())
    if (status !== 'failed') add(internalId, -amount);
  return balances;
}
