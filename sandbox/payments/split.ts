import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import type { SubAccount, SubAccountDirectory, TaxDocument } from '../sellers/sub-accounts.js';

/** A checked split rule, with either `percentage` or `amount`. */
export interface SplitRule {
  /** The receiver: `number` is the CPF or CNPJ of an active sub-account. */
  readonly document: { readonly number: string };
  /** The share of the net amount: above 0, at most 100, with at most two decimals. */
  readonly percentage?: number;
  /** In cents. */
  readonly amount?: number;
}

/** A receiver's share. */
export interface SplitEntry {
  /** `receiver` of a split rule, or `owner`, who gets the remaining amount. */
  readonly role: 'owner' | 'receiver';
  /** The sub-account's id; absent if the merchant itself is the owner. */
  readonly internalId?: string;
  /** The sub-account's CPF or CNPJ; absent if the merchant itself is the owner. */
  readonly document?: TaxDocument;
  /** In cents. */
  readonly amount: number;
}

/** The division of a payment. */
export type Split = {
  /** The sum of the entries, in cents. */
  readonly netAmount: number;
  /** The entries in the order of the rules, with the owner last. */
  readonly entries: readonly SplitEntry[];
};

/** In cents. */
export const computeNet = (amount: number, fee: number) => Math.max(amount - fee, 0);

/** In hundredths of a percent, because percentages have two decimals. */
const whole = 100 * 100;

const hundredths = (percentage: number) => Math.round(percentage * 100);

/**
 * Each share is rounded down to the cent. The shares with the largest remainders get one of the remaining
 * cents each. On a tie, the first share gets it; the owner's share is last.
 *
 * @returns the shares in cents; undefined if the rules add up to more than the amount
 */
export function divide(
  net: number,
  rules: readonly Pick<SplitRule, 'amount' | 'percentage'>[],
): number[] | undefined {
  const quotas = rules.map(({ amount, percentage }) =>
    amount === undefined ? net * hundredths(percentage ?? 0) : amount * whole,
  );
  const rest = quotas.reduce((left, quota) => left - quota, net * whole);
  if (rest < 0) return undefined;
  quotas.push(rest);
  const shares = quotas.map((quota) => Math.floor(quota / whole));
  const left = shares.reduce((total, share) => total - share, net);
  const byLoss = quotas
    .map((quota, index) => ({ index, lost: quota % whole }))
    .sort((one, other) => other.lost - one.lost || one.index - other.index);
  const favoured = new Set(byLoss.slice(0, left).map(({ index }) => index));
  return shares.map((share, index) => (favoured.has(index) ? share + 1 : share));
}

export function resolveSplit(
  { amount, fee }: { readonly amount: number; readonly fee: number },
  rules: readonly SplitRule[],
  owner: SubAccount | undefined,
  accounts: SubAccountDirectory,
): Split {
  const netAmount = computeNet(amount, fee);
  const shares = divide(netAmount, rules) ?? [];
  const receivers = [...rules.map(({ document }) => accounts.activeWith(document.number)), owner];
  return {
    netAmount,
    entries: receivers.map((account, index) => ({
      role: index < rules.length ? 'receiver' : 'owner',
      ...(account !== undefined && { internalId: account.internalId }),
      ...(account?.document !== undefined && { document: account.document }),
      amount: shares[index] ?? 0,
    })),
  };
}

/** The body can also break the contract. */
export function findSplitIssues(body: unknown, fee: number, accounts: SubAccountDirectory): Issue[] {
  if (!isRecord(body)) return [];
  const issues: Issue[] = [];
  const owner = accountIn(body.subMerchant, 'subMerchant', accounts, issues);
  const rules = Array.isArray(body.split) ? body.split : [];
  const receivers = new Set<SubAccount>();
  for (const [index, rule] of rules.entries()) {
    if (!isRecord(rule)) continue;
    const path = `split.${index}`;
    const receiver = accountIn(rule, path, accounts, issues);
    if (receiver !== undefined && receiver === owner) {
      issues.push({
        path: `${path}.document.number`,
        message: 'is the document of the owner, who gets the rest',
      });
    } else if (receiver !== undefined && receivers.has(receiver)) {
      issues.push({ path: `${path}.document.number`, message: 'already has a rule' });
    }
    if (receiver !== undefined) receivers.add(receiver);
    const problem = findShareProblem(rule);
    if (problem !== undefined) issues.push({ path, message: problem });
  }
  const readable = rules.every((rule) => isRecord(rule) && findShareProblem(rule) === undefined);
  if (
    typeof body.amount === 'number' &&
    readable &&
    divide(computeNet(body.amount, fee), rules) === undefined
  ) {
    issues.push({ path: 'split', message: 'must not add up to more than the net amount' });
  }
  return issues;
}

function accountIn(
  holder: unknown,
  path: string,
  accounts: SubAccountDirectory,
  issues: Issue[],
): SubAccount | undefined {
  if (!isRecord(holder)) return undefined;
  const number = isRecord(holder.document) ? holder.document.number : undefined;
  const account = typeof number === 'string' ? accounts.activeWith(number) : undefined;
  if (account === undefined) {
    const message =
      typeof number === 'string'
        ? 'is not the document of an active sub-account of this merchant'
        : 'is required: a sub-account is identified by its document';
    issues.push({ path: `${path}.document.number`, message });
  }
  return account;
}

function findShareProblem({ percentage, amount }: Readonly<Record<string, unknown>>): string | undefined {
  if ((percentage === undefined) === (amount === undefined)) return 'must have either percentage or amount';
  if (amount !== undefined) {
    return Number.isSafeInteger(amount) && Number(amount) > 0
      ? undefined
      : 'must have an amount in cents: an integer of at least 1';
  }
  const isShare = typeof percentage === 'number' && percentage > 0 && percentage <= 100;
  return isShare && hundredths(percentage) / 100 === percentage
    ? undefined
    : 'must have a percentage above 0, at most 100, with at most two decimals';
}
