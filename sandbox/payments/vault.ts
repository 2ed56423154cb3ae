import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import type { Random } from '../random/random.js';
import type { CardDecision } from '../scenarios/card-outcomes.js';
import { findBehaviour, findTestCard } from '../scenarios/test-cards.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import { readDigits, type StoredCard, toStoredCard } from './cards.js';

/** Without PAN and CVV. */
export interface VaultedCard {
  readonly decision: CardDecision;
  /** Undefined for an unknown brand. */
  readonly card: StoredCard | undefined;
}

/** API docs, Vault. */
export class Vault {
  readonly #cards: Table<VaultedCard>;
  readonly #random: Random;

  constructor(random: Random, tables: TableFactory) {
    this.#cards = tables.table('vault');
    this.#random = random;
  }

  /** The fields of this body are not in the contract. */
  issues(body: unknown): Issue[] {
    const number = isRecord(body) ? body.number : undefined;
    if (number === undefined) return [{ path: 'number', message: 'is required' }];
    if (typeof number === 'string' && /^\d(?: ?\d){11,18}$/.test(number)) return [];
    return [{ path: 'number', message: 'must be a card number: a string of 12 to 19 digits' }];
  }

  add(number: string): { cardTokenId: string; card: StoredCard | undefined } {
    const cardTokenId = this.#random.uuid();
    const card = toStoredCard(number);
    this.#cards.set(cardTokenId, { decision: findBehaviour(readDigits(number)).decision, card });
    return { cardTokenId, card };
  }

  find(token: string): VaultedCard | undefined {
    return this.#cards.get(token) ?? testCard(token);
  }
}

/** Every vault contains the cards of `testCardTokens`. */
function testCard(token: string): VaultedCard | undefined {
  const found = findTestCard(token);
  return found && { decision: found.decision, card: toStoredCard(found.number) };
}
