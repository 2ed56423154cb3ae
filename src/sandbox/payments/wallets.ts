import { type CardDecision, cardDecisions } from '../scenarios/card-outcomes.js';
import { testWalletTokens } from '../scenarios/test-cards.js';

const byText = new Map<unknown, CardDecision>(
  cardDecisions.map((decision) => [testWalletTokens[decision], decision]),
);

/** The decision of the first text of `testWalletTokens`, in the order of the block's fields. */
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
