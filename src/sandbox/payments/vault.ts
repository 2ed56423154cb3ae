import type { Issue } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';
import type { Random } from '../random.js';
import { behaviourOf, type CardDecision, type StoredCard, storedCard, testCardOf } from './cards.js';

/** What the vault keeps of a card: neither the PAN nor the CVV. */
export interface VaultedCard {
  readonly decision: CardDecision;
  /** Undefined when the number belongs to no known brand. */
  readonly card: StoredCard | undefined;
}

/** The cards of one merchant (API document, Vault). */
export class Vault {
  readonly #cards = new Map<string, VaultedCard>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Problems with a body: its shape is not in the contract. */
  issues(body: unknown): Issue[] {
    const number = isRecord(body) ? body.number : undefined;
    if (number === undefined) return [{ path: 'number', message: 'is required' }];
    if (typeof number === 'string' && /^\d(?: ?\d){11,18}$/.test(number)) return [];
    return [{ path: 'number', message: 'must be a card number: text of 12 to 19 digits' }];
  }

  /** Keeps a card, and gives the token that stands for it. */
  add(number: string): { cardTokenId: string; card: StoredCard | undefined } {
    const cardTokenId = this.#random.uuid();
    const card = storedCard(number);
    this.#cards.set(cardTokenId, { decision: behaviourOf(number).decision, card });
    return { cardTokenId, card };
  }

  find(token: string): VaultedCard | undefined {
    return this.#cards.get(token) ?? testCard(token);
  }
}

/** The test cards are in every vault. */
function testCard(token: string): VaultedCard | undefined {
  const found = testCardOf(token);
  return found && { decision: found.decision, card: storedCard(found.number) };
}
