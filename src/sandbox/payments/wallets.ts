import type { CardDecision } from './cards.js';

/**
 * Texts that decide the outcome of a wallet payment, wherever in the `wallet` block one of them stands: its
 * inner names are not shown. The outcomes are those of `testCards`; any other wallet is approved.
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

/** The first text that decides, in the order of the block. */
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
