import type { Merchants } from '../merchants/merchants.js';
import type { SubAccount, SubAccountStatus } from './sub-accounts.js';
import type { WithdrawalRecord, withdrawalEnds } from './withdrawals.js';

/** What the platform knows and decides about sub-accounts. */
export interface SubmerchantControl {
  /** Of all merchants, each merchant's in the order of their creation. */
  list(): SubAccount[];
  retrieve(internalId: string): SubAccount;
  /** An inactive sub-account neither owns nor receives payments, and withdraws nothing. */
  setStatus(internalId: string, status: SubAccountStatus): SubAccount;
}

/** What becomes of withdrawals. */
export interface WithdrawalControl {
  /** The money was paid out: `completed`. */
  complete(withdrawId: number): WithdrawalRecord;
  /** It could not be: `failed`. */
  fail(withdrawId: number): WithdrawalRecord;
  /** Of all merchants, each merchant's in the order of their creation. */
  list(): WithdrawalRecord[];
  retrieve(withdrawId: number): WithdrawalRecord;
}

export function submerchantControl(merchants: Merchants): SubmerchantControl {
  const find = (id: string) => merchants.ownerOf('sub-account', id, ({ accounts }) => accounts.find(id));
  return Object.freeze({
    list: () => merchants.list().flatMap(({ accounts }) => accounts.list()),
    retrieve: (internalId: string) => find(internalId).found,
    setStatus: (internalId: string, status: SubAccountStatus) => {
      const { owner, found } = find(internalId);
      return owner.accounts.setStatus(found, status);
    },
  });
}

export function withdrawalControl(merchants: Merchants): WithdrawalControl {
  const find = (id: number) => merchants.ownerOf('withdrawal', id, ({ withdrawals }) => withdrawals.find(id));
  const end = (how: keyof typeof withdrawalEnds) => (withdrawId: number) => {
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
