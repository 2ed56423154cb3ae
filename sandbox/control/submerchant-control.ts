import type { SubAccountStatus, withdrawalTransitions } from '../defaults/transitions.js';
import type { Merchants } from '../merchants/merchants.js';
import type { SubAccount } from '../sellers/sub-accounts.js';
import type { WithdrawalRecord } from '../sellers/withdrawals.js';

/** The sub-accounts of all merchants. Controls throw an Error for an unknown id. */
export interface SubmerchantControl {
  /** Lists the sub-accounts of all merchants, grouped by merchant in the order of creation. */
  list(): SubAccount[];
  /** Returns a sub-account in any status. Throws an Error for an unknown id. */
  retrieve(internalId: string): SubAccount;
  /**
   * Returns the balance of each sub-account of all merchants, in cents, by `internalId`. A balance is the sum
   * of the sub-account's shares in paid payments, minus withdrawals that have not failed.
   */
  balances(): ReadonlyMap<string, number>;
  /**
   * Sets a sub-account's status. An inactive sub-account can neither own nor receive payments, nor withdraw.
   *
   * @throws TypeError for an unknown status.
   */
  setStatus(internalId: string, status: SubAccountStatus): SubAccount;
}

/**
 * Decides the outcomes of withdrawals. Each control throws an Error for an unknown id. `complete` and `fail`
 * also throw one if the withdrawal is not pending.
 */
export interface WithdrawalControl {
  /** Moves a withdrawal to `completed`: the money was paid out. */
  complete(withdrawId: number): WithdrawalRecord;
  /** Moves a withdrawal to `failed`: the money was not paid out. */
  fail(withdrawId: number): WithdrawalRecord;
  /**
   * Lists the withdrawals of all merchants, grouped by merchant. Merchants and withdrawals are each in
   * creation order.
   */
  list(): WithdrawalRecord[];
  /** Returns a withdrawal in any status. Throws an Error for an unknown id. */
  retrieve(withdrawId: number): WithdrawalRecord;
}

export function createSubmerchantControl(merchants: Merchants): SubmerchantControl {
  const find = (id: string) => merchants.getOwner('sub-account', id, ({ accounts }) => accounts.find(id));
  return Object.freeze({
    list: () => merchants.list().flatMap(({ accounts }) => accounts.list()),
    retrieve: (internalId: string) => find(internalId).found,
    balances: () => {
      const all = merchants.list();
      const none = all
        .flatMap(({ accounts }) => accounts.list())
        .map(({ internalId }) => [internalId, 0] as const);
      return new Map([...none, ...all.flatMap((merchant) => [...merchant.balances()])]);
    },
    setStatus: (internalId: string, status: SubAccountStatus) => {
      const { owner, found } = find(internalId);
      return owner.accounts.setStatus(found, status);
    },
  });
}

export function createWithdrawalControl(merchants: Merchants): WithdrawalControl {
  const find = (id: number) =>
    merchants.getOwner('withdrawal', id, ({ withdrawals }) => withdrawals.find(id));
  const end = (how: keyof typeof withdrawalTransitions) => (withdrawId: number) => {
    const { owner, found } = find(withdrawId);
    return owner.withdrawals.end(found, how);
  };
  return Object.freeze({
    complete: end('complete'),
    fail: end('fail'),
    list: () => merchants.list().flatMap(({ withdrawals }) => withdrawals.list()),
    retrieve: (withdrawId: number) => find(withdrawId).found,
  });
}
