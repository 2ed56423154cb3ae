import { inspect } from 'node:util';
import { checkedOptions } from '../checked-options.js';
import { UnknownIdError } from '../control-errors.js';
import { Random } from '../random.js';
import { Merchant, type MerchantOptions, merchantReaders, type SharedParts } from './merchant.js';

/** The merchants of one sandbox. */
export class Merchants {
  readonly #merchants = new Map<string, Merchant>();
  readonly #shared: SharedParts;
  readonly #seed: number;
  /** The merchant of `createSandbox`. */
  readonly first: Merchant;

  constructor(seed: number, shared: SharedParts, options: MerchantOptions) {
    this.#seed = seed;
    this.#shared = shared;
    this.first = this.#add(options);
  }

  /** @throws TypeError for wrong options, and for a client id that is taken. */
  add(options: MerchantOptions): Merchant {
    return this.#add(checkedOptions('addMerchant', options, merchantReaders));
  }

  #add(options: MerchantOptions): Merchant {
    const number = this.#merchants.size + 1;
    const isFirst = number === 1;
    // The first merchant's values do not change when others are added.
    const random = (purpose: string) =>
      new Random(this.#seed, isFirst ? purpose : `${purpose} of merchant ${number}`);
    const merchant = new Merchant(options, this.#shared, isFirst, random);
    if (this.#merchants.has(merchant.clientId)) {
      throw new TypeError(`There is a merchant with the client id ${inspect(merchant.clientId)} already.`);
    }
    this.#merchants.set(merchant.clientId, merchant);
    return merchant;
  }

  /** In the order they were added. */
  list(): Merchant[] {
    return [...this.#merchants.values()];
  }

  find(clientId: string): Merchant | undefined {
    return this.#merchants.get(clientId);
  }

  /**
   * Without a client id, the first merchant.
   *
   * @throws TypeError for an unknown client id.
   */
  get(clientId: string | undefined): Merchant {
    if (clientId === undefined) return this.first;
    const merchant = this.find(clientId);
    if (merchant !== undefined) return merchant;
    throw new TypeError(`No merchant of this sandbox has the client id ${inspect(clientId)}.`);
  }

  /** Finds something and its merchant; undefined if no merchant has it. */
  owning<Found>(
    find: (merchant: Merchant) => Found | undefined,
  ): { owner: Merchant; found: Found } | undefined {
    for (const owner of this.#merchants.values()) {
      const found = find(owner);
      if (found !== undefined) return { owner, found };
    }
    return undefined;
  }

  /**
   * Finds something and its merchant.
   *
   * @throws UnknownIdError if no merchant has it.
   */
  ownerOf<Found>(kind: string, id: unknown, find: (merchant: Merchant) => Found | undefined) {
    const match = this.owning(find);
    if (match === undefined) throw new UnknownIdError(`There is no ${kind} ${inspect(id)} in this sandbox.`);
    return match;
  }
}
