import { inspect } from '#sandbox-runtime';
import { readCheckedOptions } from '../arguments/checked-options.js';
import { unknownId } from '../arguments/control-errors.js';
import { Random } from '../random/random.js';
import { Cell } from '../state/cell.js';
import { CredentialStore } from './credentials.js';
import type { FeatureOptions } from './features.js';
import {
  type CredentialOptions,
  type Credentials,
  credentialReaders,
  Merchant,
  type MerchantOptions,
  merchantReaders,
  type SharedParts,
} from './merchant.js';

export interface CredentialOwner {
  readonly merchant: Merchant;
  readonly clientId: string;
}

export class Merchants {
  readonly #merchants: Merchant[] = [];
  readonly #credentials: CredentialStore;
  /** In the order of the merchants. */
  readonly #streams: Random[] = [];
  readonly #shared: SharedParts;
  readonly #seed: number;
  readonly #changed: () => void;

  constructor(seed: number, shared: SharedParts, { features = {}, ...credential }: MerchantOptions) {
    this.#seed = seed;
    this.#shared = shared;
    this.#credentials = new CredentialStore(shared.state);
    this.#changed = shared.state.keep(
      'merchants',
      new Cell<number>(
        () => this.#merchants.length,
        (count = 1) => {
          while (this.#merchants.length < count) this.#open({});
        },
      ),
    );
    const first = this.#open(features);
    this.#addCredential(first, credential);
  }

  get first(): Merchant {
    const [first] = this.#merchants;
    if (first === undefined) throw new Error('A sandbox has a merchant.');
    return first;
  }

  add(options: MerchantOptions): Credentials {
    const { features = {}, ...credential } = readCheckedOptions('addMerchant', options, merchantReaders);
    this.#credentials.assertUnused(credential.clientId);
    const merchant = this.#open(features);
    this.#changed();
    return this.#addCredential(merchant, credential);
  }

  addCredential(merchant: Merchant, options: CredentialOptions): Credentials {
    return this.#addCredential(merchant, readCheckedOptions('addCredential', options, credentialReaders));
  }

  /** In the order they were added. */
  list(): readonly Merchant[] {
    return this.#merchants;
  }

  mainClientId(merchant: Merchant): string {
    return this.#credentials.of(merchant.number)[0] ?? '';
  }

  find(clientId: string): Merchant | undefined {
    const number = this.#credentials.findMerchant(clientId);
    return number === undefined ? undefined : this.#merchants[number - 1];
  }

  /** Undefined if the id or the secret is wrong. */
  authenticated(clientId: string, clientSecret: string): CredentialOwner | undefined {
    const merchant = this.#credentials.hasSecret(clientId, clientSecret) ? this.find(clientId) : undefined;
    return merchant && { merchant, clientId };
  }

  /** Default: the first merchant. */
  get(clientId: string | undefined): Merchant {
    if (clientId === undefined) return this.first;
    const merchant = this.find(clientId);
    if (merchant !== undefined) return merchant;
    throw new TypeError(`No merchant of this sandbox has the client id ${inspect(clientId)}.`);
  }

  /** Default: the first credential of the first merchant. */
  credentials(clientId: string = this.mainClientId(this.first)): Credentials {
    return this.#credentials.get(clientId);
  }

  /** Undefined if the credentials match the restored first merchant. */
  credentialProblem(clientId: string | undefined, clientSecret: string | undefined): string | undefined {
    if (clientId !== undefined && this.find(clientId) !== this.first) {
      return `clientId is ${inspect(clientId)}, and the state has no such credential of the first merchant`;
    }
    const known = this.credentials(clientId);
    const isOther = clientSecret !== undefined && clientSecret !== known.clientSecret;
    return isOther ? `clientSecret is not that of ${known.clientId} in the state` : undefined;
  }

  /** The old secret is rejected from then on. */
  rotate(clientId: string): void {
    this.#credentials.rotate(clientId, this.#createStream(this.get(clientId)));
  }

  resume(): void {
    for (const merchant of this.#merchants) merchant.resume();
  }

  findOwner<Found>(
    find: (merchant: Merchant) => Found | undefined,
  ): { owner: Merchant; found: Found } | undefined {
    for (const owner of this.#merchants) {
      const found = find(owner);
      if (found !== undefined) return { owner, found };
    }
    return undefined;
  }

  getOwner<Found>(kind: string, id: unknown, find: (merchant: Merchant) => Found | undefined) {
    const match = this.findOwner(find);
    if (match === undefined) throw unknownId(kind, id);
    return match;
  }

  #open(features: FeatureOptions): Merchant {
    const number = this.#merchants.length + 1;
    // The first merchant's values do not change when merchants are added.
    const random = (purpose: string) =>
      new Random(this.#seed, number === 1 ? purpose : `${purpose} of merchant ${number}`, this.#shared.state);
    const merchant = new Merchant(number, features, this.#shared, random);
    this.#merchants.push(merchant);
    this.#streams.push(random('credentials'));
    return merchant;
  }

  #addCredential(merchant: Merchant, options: CredentialOptions): Credentials {
    return this.#credentials.add(merchant.number, options, this.#createStream(merchant));
  }

  #createStream({ number }: Merchant): Random {
    const stream = this.#streams[number - 1];
    if (stream === undefined) throw new Error(`No merchant has the number ${number}.`);
    return stream;
  }
}
