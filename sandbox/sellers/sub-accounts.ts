import { inspect } from '#sandbox-runtime';
import { normalizeTaxDocument } from '../../src/contract/brazil.js';
import type { Fields } from '../../src/contract/operation.js';
import { type SubAccountStatus, subAccountStatuses } from '../defaults/transitions.js';
import type { Random } from '../random/random.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';

/** A CPF or CNPJ. */
export interface TaxDocument {
  /** The number as in the form. The SDK sends it without punctuation. */
  readonly number: string;
  /** `cpf` or `cnpj`, unless the form contains another string. */
  readonly type: string;
}

/** A sub-account in the sandbox. */
export interface SubAccount {
  /** UUID. */
  readonly internalId: string;
  /** The idempotency key of the request that created the sub-account. */
  readonly externalId: string;
  /** `active`, or `inactive`: an inactive sub-account can neither own nor receive payments, nor withdraw. */
  readonly status: SubAccountStatus;
  /** Undefined if the form has no CPF or CNPJ. */
  readonly document: TaxDocument | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The form's fields, except files, with later changes. */
  readonly fields: Fields;
}

export type NewSubAccount = Pick<SubAccount, 'externalId' | 'document' | 'fields'>;

export interface SubAccountDirectory {
  /** The oldest one, by a CPF or CNPJ with or without punctuation. */
  activeWith(document: string): SubAccount | undefined;
}

export class SubAccounts implements SubAccountDirectory {
  readonly #accounts: Table<SubAccount>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random, tables: TableFactory) {
    this.#accounts = tables.table('sub-accounts');
    this.#clock = clock;
    this.#random = random;
  }

  /** In the order of creation. */
  list(): SubAccount[] {
    return [...this.#accounts.values()];
  }

  find(internalId: string): SubAccount | undefined {
    return this.#accounts.get(internalId);
  }

  activeWith(document: string): SubAccount | undefined {
    const number = normalizeTaxDocument(document);
    return this.list().find((account) => account.status === 'active' && account.document?.number === number);
  }

  add({ externalId, document, fields }: NewSubAccount): SubAccount {
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

  setStatus(account: SubAccount, status: SubAccountStatus): SubAccount {
    if (!subAccountStatuses.includes(status)) {
      throw new TypeError(`The status must be ${subAccountStatuses.join(' or ')}, not ${inspect(status)}.`);
    }
    return this.#keep({ ...account, status });
  }

  #keep(account: SubAccount): SubAccount {
    return this.#accounts.set(account.internalId, Object.freeze(account));
  }
}
