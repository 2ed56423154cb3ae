import { shapes } from '../contract/generated/shapes.js';
import type { RuntimeSchema } from '../contract/runtime-schema.js';
import { IdempotencyConflictError } from '../errors/api.js';
import { StoreError } from '../errors/store.js';
import { isFinal, type NewRow, type PaymentRow, rowVersion } from '../stores/payment-row.js';
import { inOrder } from '../validation/json.js';
import { isRecord } from '../validation/record.js';
import type { Kind } from './kind.js';
import type { ResolvedOptions } from './options.js';
import { type RowCodec, unreadableData } from './payload.js';
import type { HeldRow } from './settler.js';

/** The SQLSTATE of a statement that waited too long for a lock. */
const lockTimeout = '55P03';

/** Durations are in milliseconds. */
export interface Recordable<Transaction, Payload> {
  readonly key: string;
  readonly payload: Payload;
  readonly reference: string;
  readonly giveUpAfter: number;
  readonly refreshFor: number;
  readonly client?: Transaction | undefined;
}

export class Recorder<Transaction, Payload extends object> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #codec: RowCodec<Payload, object>;
  readonly #kind: Kind;
  readonly #keyIsHeld: (key: string, cause: unknown) => Error;

  constructor(
    options: ResolvedOptions<Transaction>,
    codec: RowCodec<Payload, object>,
    kind: Kind,
    keyIsHeld: (key: string, cause: unknown) => Error,
  ) {
    this.#options = options;
    this.#codec = codec;
    this.#kind = kind;
    this.#keyIsHeld = keyIsHeld;
  }

  /**
   * Inserts the row of a new key. `sending` is written before the request: if the process dies, the lease ends,
   * another process claims the row, and the claim of a row that was `sending` puts it in doubt.
   */
  async record(
    { key, client, payload, reference, giveUpAfter, refreshFor }: Recordable<Transaction, Payload>,
    state: 'recorded' | 'sending',
  ): Promise<HeldRow & { readonly isNew: boolean }> {
    const { store, lease } = this.#options;
    const { digest, payload: text } = await this.#codec.encodePayload(key, payload);
    const heldSince = performance.now();
    const inserted = await this.#insert(
      {
        key,
        version: rowVersion,
        state,
        reference,
        digest,
        payload: text,
        deadlineIn: giveUpAfter,
        refreshIn: refreshFor,
        ...(state === 'sending' ? { attempts: 1, dueIn: lease } : { attempts: 0, dueIn: 0 }),
      },
      client,
    );
    if (inserted !== undefined) return { row: inserted, heldSince, isNew: true };
    const present = await store.find(key, client);
    if (present === undefined) throw new Error('The store has neither kept nor found the row.');
    const isSame = await this.#codec.isSamePayload(present, payload);
    if (isSame === undefined) throw unreadableData(this.#kind.noun, key);
    if (!isSame) throw await this.#conflict(present, payload);
    return { row: present, heldSince, isNew: false };
  }

  async #insert(row: Omit<NewRow, 'merchant'>, client: Transaction | undefined) {
    const { store } = this.#options;
    try {
      return await store.insert(row, client);
    } catch (error) {
      const isHeld = client === undefined && error instanceof StoreError && error.code === lockTimeout;
      if (isHeld && (await store.find(row.key)) === undefined) throw this.#keyIsHeld(row.key, error);
      throw error;
    }
  }

  async #conflict(row: PaymentRow, payload: Payload): Promise<IdempotencyConflictError> {
    const { key, state } = row;
    const recorded = await this.#codec.readPayload(row);
    const fields = typeof recorded === 'string' ? [] : listDifferences(flatten(recorded), flatten(payload));
    const what = fields.length === 0 ? 'another payload' : `another ${fields.join(', ')}`;
    const isOver = state === 'failed' && !row.inDoubt;
    const { noun, effect, mayExist } = this.#kind;
    const unended = isFinal(state) ? mayExist : cancelFirst(effect);
    const way = isOver ? notExecuted(noun) : unended;
    return new IdempotencyConflictError(
      `The key ${key} was recorded with ${what}. Its state is ${state}. Nothing was sent now. ${way}`,
      { idempotencyKey: key },
    );
  }
}

const cancelFirst = (effect: string) =>
  `Call cancel with this key. Use a new key for the change only after cancel returned true. Otherwise ${effect} twice.`;

const notExecuted = (noun: string) =>
  `The recorded ${noun} was not executed and is not sent again, so the changed ${noun} can use a new key.`;

const flatten = (payload: object): object => Object.assign({}, ...Object.values(payload).filter(isRecord));

const namesIn = ({ fields, entries }: RuntimeSchema): string[] => [
  ...Object.entries(fields).flatMap(([name, field]) => [name, ...namesIn(field)]),
  ...(entries === undefined ? [] : namesIn(entries)),
];

const isDocumented = (name: string): boolean =>
  Object.values(shapes).some(({ request }) => request !== undefined && namesIn(request).includes(name));

const isShown = (path: string, name: string): boolean =>
  isDocumented(name) || (path === '' && /^[a-z_]{1,40}$/i.test(name));

/** Without values. A name in an open object, such as a key of `metadata`, can itself be personal. */
function listDifferences(recorded: object, present: object, path = ''): string[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(present)]);
  return [...names]
    .flatMap((name) => {
      const [before, now] = [recorded, present].map((body) => (body as Record<string, unknown>)[name]);
      if (JSON.stringify(before, inOrder) === JSON.stringify(now, inOrder)) return [];
      const inner = isRecord(before) && isRecord(now) ? listDifferences(before, now, `${path}${name}.`) : [];
      return inner.length > 0 ? inner : [isShown(path, name) ? `${path}${name}` : path.slice(0, -1)];
    })
    .filter((path, index, paths) => path !== '' && paths.indexOf(path) === index)
    .slice(0, 5);
}
