import type { StoredCustomer } from '../../src/contract/payments/types.js';
import type { Random } from '../random/random.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { StoredCard } from './cards.js';

/** From an approved payment with raw card data (API docs, Errors, idempotency rule 3). */
export interface UpsellToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly card: StoredCard | undefined;
  readonly customer: StoredCustomer | undefined;
  /** Whether a charge with the token is refused. */
  readonly isRefused: boolean;
  /** Whether the token was used, or belongs to a charge with an unknown outcome. */
  readonly spent: boolean;
}

export class UpsellTokens {
  readonly #tokens: Table<UpsellToken>;
  readonly #clock: Clock;
  readonly #random: Random;
  /** In milliseconds. */
  readonly #lifetime: number;

  /** @param lifetime milliseconds */
  constructor(clock: Clock, random: Random, tables: TableFactory, lifetime: number) {
    this.#lifetime = lifetime;
    this.#tokens = tables.table('upsell tokens');
    this.#clock = clock;
    this.#random = random;
  }

  issue(origin: Pick<UpsellToken, 'card' | 'customer' | 'isRefused'>): UpsellToken {
    const token: UpsellToken = {
      token: this.#random.uuid(),
      expiresAt: this.#clock.time() + this.#lifetime,
      ...origin,
      spent: false,
    };
    return this.#tokens.set(token.token, token);
  }

  spend(text: string, spent: boolean): void {
    const token = this.#tokens.get(text);
    if (token !== undefined) this.#tokens.set(text, { ...token, spent });
  }

  find(token: string): UpsellToken | undefined {
    return this.#tokens.get(token);
  }

  isValid(token: UpsellToken | undefined): boolean {
    return token !== undefined && !token.spent && this.#clock.time() < token.expiresAt;
  }

  /** Undefined if the token can pay. */
  objection(text: string): string | undefined {
    const token = this.#tokens.get(text);
    if (token === undefined) return 'is not a token that was issued';
    if (token.spent) return 'was already used';
    return this.isValid(token)
      ? undefined
      : `has expired: it is valid for ${this.#lifetime / 60_000} minutes`;
  }
}
