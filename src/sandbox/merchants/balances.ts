import type { PaymentRecord } from '../payments/payment-record.js';
import { netOf } from '../payments/split.js';
import type { WithdrawalRecord } from '../sellers/withdrawals.js';

/** What a merchant's sub-accounts got and withdrew. */
interface Movements {
  readonly payments: Iterable<PaymentRecord>;
  readonly withdrawals: Iterable<WithdrawalRecord>;
  /** Cents of each payment. */
  readonly fee: number;
}

/**
 * The balances of sub-accounts in cents, by `internalId`: their shares of paid payments, less the withdrawals that did
 * not fail. What was refunded or charged back is not in it.
 */
export function balancesOf({ payments, withdrawals, fee }: Movements): ReadonlyMap<string, number> {
  const balances = new Map<string, number>();
  const add = (internalId: string | undefined, amount: number) => {
    if (internalId !== undefined) balances.set(internalId, (balances.get(internalId) ?? 0) + amount);
  };
  for (const { status, draft } of payments) {
    if (status !== 'paid') continue;
    if (draft.split === undefined) add(draft.subMerchant?.internalId, netOf(draft.amount, fee));
    else for (const { internalId, amount } of draft.split.entries) add(internalId, amount);
  }
  for (const { internalId, status, amount } of withdrawals) if (status !== 'failed') add(internalId, -amount);
  return balances;
}
