import { inspect } from '#sandbox-runtime';
import type { Random } from '../random/random.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { CredentialOptions, Credentials } from './merchant.js';

interface Credential {
  readonly merchant: number;
  readonly clientSecret: string;
}

export class CredentialStore {
  readonly #credentials: Table<Credential>;

  constructor(tables: TableFactory) {
    this.#credentials = tables.table('credentials');
  }

  findMerchant(clientId: string): number | undefined {
    return this.#credentials.get(clientId)?.merchant;
  }

  /** Begins with the first credential. */
  of(merchant: number): string[] {
    return Array.from(this.#credentials.keys()).filter(
      (clientId) => this.findMerchant(clientId) === merchant,
    );
  }

  get(clientId: string): Credentials {
    const credential = this.#credentials.get(clientId);
    if (credential === undefined) {
      throw new TypeError(`No merchant of this sandbox has the client id ${inspect(clientId)}.`);
    }
    return { clientId, clientSecret: credential.clientSecret };
  }

  hasSecret(clientId: string, clientSecret: string): boolean {
    return this.#credentials.get(clientId)?.clientSecret === clientSecret;
  }

  assertUnused(clientId: string | undefined): void {
    if (clientId !== undefined && this.#credentials.has(clientId)) {
      throw new TypeError(`A merchant with the client id ${inspect(clientId)} already exists.`);
    }
  }

  /** @param random the stream of values for the merchant's credentials */
  add(merchant: number, options: CredentialOptions, random: Random): Credentials {
    this.assertUnused(options.clientId);
    const clientId = options.clientId ?? `sandbox-client-${random.hex(8)}`;
    this.assertUnused(clientId);
    const clientSecret = options.clientSecret ?? newSecret(random);
    this.#credentials.set(clientId, { merchant, clientSecret });
    return { clientId, clientSecret };
  }

  /** The old secret is rejected from then on. */
  rotate(clientId: string, random: Random): void {
    const credential = this.#credentials.get(clientId);
    if (credential === undefined) return;
    this.#credentials.set(clientId, { ...credential, clientSecret: newSecret(random) });
  }
}

const newSecret = (random: Random) => `sandbox-secret-not-real-${random.hex(16)}`;
