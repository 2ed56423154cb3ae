import type { Random } from '../random/random.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';

/** A token from POST /oauth/token, without its value. */
export interface IssuedToken {
  /** The client id of the credential. */
  readonly clientId: string;
  /** ISO 8601, UTC. */
  readonly issuedAt: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** `valid`, `expired` on the sandbox's clock, or `revoked`. */
  readonly state: 'valid' | 'expired' | 'revoked';
}

interface Grant {
  readonly clientId: string;
  /** In milliseconds since 1970. */
  readonly issuedAt: number;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly revoked: boolean;
}

/** API docs, Authentication, 3. */
export class AccessTokens {
  readonly #grants: Table<Grant>;
  readonly #clock: Clock;
  readonly #random: Random;
  /** In seconds. */
  readonly lifetime: number;

  constructor(clock: Clock, random: Random, lifetime: number, tables: TableFactory) {
    this.#grants = tables.table('access tokens');
    this.#clock = clock;
    this.#random = random;
    this.lifetime = lifetime;
  }

  issue(clientId: string): string {
    const token = `sandbox-token-not-real-${this.#random.hex(32)}`;
    const issuedAt = this.#clock.time();
    this.#grants.set(token, {
      clientId,
      issuedAt,
      expiresAt: issuedAt + this.lifetime * 1_000,
      revoked: false,
    });
    return token;
  }

  /** Undefined if the token is not valid. */
  findClientId(token: string): string | undefined {
    const grant = this.#grants.get(token);
    return grant !== undefined && this.#findState(grant) === 'valid' ? grant.clientId : undefined;
  }

  /** Without a client id, revokes all tokens. */
  revoke(clientId?: string): void {
    for (const token of this.#grants.keys()) {
      const grant = this.#grants.get(token);
      if (grant === undefined || (clientId !== undefined && grant.clientId !== clientId)) continue;
      this.#grants.set(token, { ...grant, revoked: true });
    }
  }

  list(): IssuedToken[] {
    return Array.from(this.#grants.values(), (grant) =>
      Object.freeze({
        clientId: grant.clientId,
        issuedAt: new Date(grant.issuedAt).toISOString(),
        expiresAt: new Date(grant.expiresAt).toISOString(),
        state: this.#findState(grant),
      }),
    );
  }

  #findState({ revoked, expiresAt }: Grant): IssuedToken['state'] {
    if (revoked) return 'revoked';
    return this.#clock.time() < expiresAt ? 'valid' : 'expired';
  }
}
