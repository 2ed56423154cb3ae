import type { CardDecision } from './cards.js';

/**
 * Texts that select the outcome of a wallet payment. They may be in any field of the `wallet` block, whose
 * inner names are undocumented. The outcomes are those of `testCards`; any other wallet is approved.
 */
export const testWalletTokens = Object.freeze({
  /** Paid at once. */
  approved: 'sandbox-wallet-approved',
  /** Refused. */
  refused: 'sandbox-wallet-refused',
  /** In analysis until `control.payments.pay` or `refuse`. */
  inAnalysis: 'sandbox-wallet-in-analysis',
  /** The acquirer does not answer: the outcome is unknown until `control.payments.resolve`. */
  unknown: 'sandbox-wallet-unknown',
} as const satisfies Record<CardDecision, string>);

const byText = new Map<unknown, CardDecision>(
  Object.entries(testWalletTokens).map(([decision, text]) => [text, decision as CardDecision]),
);

/** The decision of the first such text, in the order of the block's fields. */
export function decisionForWallet(wallet: object): CardDecision {
  const open: unknown[] = [wallet];
  while (open.length > 0) {
    const value = open.pop();
    const decision = byText.get(value);
    if (decision !== undefined) return decision;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).reverse()) open.push(inner);
  }
  return 'approved';
}
