import { inspect } from 'node:util';
import { normalTaxDocument } from '../../contract/brazil.js';
import type { Fields } from '../../contract/operation.js';
import type { Random } from '../random.js';
import type { Clock } from '../time/clock.js';

const statuses = ['active', 'inactive'] as const;

export type SubAccountStatus = (typeof statuses)[number];

/** A CPF or CNPJ. */
export interface TaxDocument {
  readonly number: string;
  readonly type: string;
}

/** A sub-account as the sandbox keeps it. */
export interface SubAccount {
  /** UUID. */
  readonly internalId: string;
  /** The idempotency key it was created with. */
  readonly externalId: string;
  readonly status: SubAccountStatus;
  /** Undefined when the form carried none. */
  readonly document: TaxDocument | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The text fields of its form, with the changes made since. */
  readonly fields: Fields;
}

/** What a new sub-account is made of. */
export type SubAccountDraft = Pick<SubAccount, 'externalId' | 'document' | 'fields'>;

/** Finds sub-accounts of one merchant. */
export interface SubAccountDirectory {
  /** The oldest active one with a CPF or CNPJ, which may have punctuation. */
  activeWith(document: string): SubAccount | undefined;
}

/** The sub-accounts of one merchant. */
export class SubAccounts implements SubAccountDirectory {
  readonly #accounts = new Map<string, SubAccount>();
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** In the order of their creation. */
  list(): SubAccount[] {
    return [...this.#accounts.values()];
  }

  find(internalId: string): SubAccount | undefined {
    return this.#accounts.get(internalId);
  }

  activeWith(document: string): SubAccount | undefined {
    const number = normalTaxDocument(document);
    return this.list().find((account) => account.status === 'active' && account.document?.number === number);
  }

  add({ externalId, document, fields }: SubAccountDraft): SubAccount {
    return this.#keep({
      internalId: this.#random.uuid(),
      externalId,
      status: 'active',
      document,
      createdAt: this.#clock.timestamp(),
      fields: Object.freeze({ ...fields }),
    });
  }

  update(account: SubAccount, changes: Fields): SubAccount {
    return this.#keep({ ...account, fields: Object.freeze({ ...account.fields, ...changes }) });
  }

  /** @throws TypeError when there is no such status. */
  setStatus(account: SubAccount, status: SubAccountStatus): SubAccount {
    if (!statuses.includes(status)) {
      throw new TypeError(`A sub-account is ${statuses.join(' or ')}, not ${inspect(status)}.`);
    }
    return this.#keep({ ...account, status });
  }

  #keep(account: SubAccount): SubAccount {
    this.#accounts.set(account.internalId, Object.freeze(account));
    return account;
  }
}
