import { checkBody } from '../contract/read-value.js';
import { IdempotencyConflictError } from '../errors/api.js';
import { StoreError } from '../errors/store.js';
import { ValidationError } from '../errors/usage.js';
import { isFinal, type NewRow, type PaymentRow, rowVersion } from '../stores/payment-row.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
import { inOrder } from '../validation/json.js';
import { readOptions } from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import { keyIsHeld } from './durable-error.js';
import {
  type EnqueueOptions,
  findUndefinedClient,
  optionReadersForCreate,
  optionReadersForEnqueue,
} from './method-options.js';
import { type ResolvedOptions, shorterThan } from './options.js';
import {
  type DurablePayment,
  findExternalIdIssues,
  findUnstorableParts,
  type Payload,
  type RowCodec,
} from './payload.js';
import type { HeldRow, Payments } from './payment-settler.js';

/** The SQLSTATE of a statement that waited too long for a lock. */
const lockTimeout = '55P03';

/** Checks payments, and records them before anything is sent. */
export class PaymentRecorder<Transaction> {
  readonly #payments: Pick<Payments, 'validate'>;
  readonly #options: ResolvedOptions<Transaction>;
  readonly #codec: RowCodec;

  constructor(payments: Pick<Payments, 'validate'>, options: ResolvedOptions<Transaction>, codec: RowCodec) {
    this.#payments = payments;
    this.#options = options;
    this.#codec = codec;
  }

  /**
   * Records a payment unless the store already has a row with its idempotency key. Returns the row, and
   * whether it is new.
   *
   * @throws ValidationError
   * @throws IdempotencyConflictError
   * @throws any error of the store
   */
  async record(
    input: DurablePayment,
    options: EnqueueOptions<Transaction>,
    state: 'recorded' | 'sending',
  ): Promise<HeldRow & { readonly isNew: boolean }> {
    const { key, client, payload, giveUpAfter, refreshFor } = this.#checked(
      input,
      options,
      state === 'sending' ? optionReadersForCreate : optionReadersForEnqueue,
    );
    const { store, lease } = this.#options;
    const { digest, payload: text } = await this.#codec.payload(key, payload);
    const heldSince = performance.now();
    const inserted = await this.#insert(
      {
        key,
        version: rowVersion,
        state,
        reference: String(payload.payment.externalId),
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
    if (present.digest !== digest) throw await this.#conflict(present, payload);
    return { row: present, heldSince, isNew: false };
  }

  /**
   * Inserts a row.
   *
   * @throws DurablePaymentError if an open transaction holds the key, and no committed row has it
   */
  async #insert(row: Omit<NewRow, 'merchant'>, client: Transaction | undefined) {
    const { store } = this.#options;
    try {
      return await store.insert(row, client);
    } catch (error) {
      const isHeld = client === undefined && error instanceof StoreError && error.code === lockTimeout;
      if (isHeld && (await store.find(row.key)) === undefined) throw keyIsHeld(row.key, error);
      throw error;
    }
  }

  /** Creates the error for a key that was recorded with another payload. Names the fields that differ. */
  async #conflict(row: PaymentRow, payload: Payload): Promise<IdempotencyConflictError> {
    const { key, state } = row;
    const recorded = await this.#codec.readPayload(row);
    const fields = typeof recorded === 'string' ? [] : listDifferences(flatten(recorded), flatten(payload));
    const what = fields.length === 0 ? 'another payload' : `another ${fields.join(', ')}`;
    const isOver = state === 'failed' && !row.inDoubt;
    const way = isOver ? notCharged : isFinal(state) ? mayExist : cancelFirst;
    return new IdempotencyConflictError(
      `The key ${key} was recorded with ${what}. Its state is ${state}. Nothing was sent now. ${way}`,
      { idempotencyKey: key },
    );
  }

  #findShortDurations(own: Partial<Pick<EnqueueOptions<unknown>, 'giveUpAfter' | 'refreshFor'>>): Issue[] {
    const { timeout } = this.#options;
    return (['giveUpAfter', 'refreshFor'] as const).flatMap((path) => {
      const duration = own[path] ?? timeout;
      return duration < timeout ? [{ path, message: shorterThan(timeout, duration) }] : [];
    });
  }

  /**
   * Reads the arguments once, and checks them as the client does.
   *
   * @throws ValidationError
   */
  #checked(input: DurablePayment, options: unknown, optionReaders: typeof optionReadersForCreate) {
    const read = readOptions(options ?? {}, optionReaders as typeof optionReadersForEnqueue);
    const { key = '', client } = read.value ?? {};
    const [body, extra] = [checkBody(input), checkBody(read.value?.extraBody)];
    const extraBody = isRecord(extra.value) ? extra.value : undefined;
    const payment = isRecord(body.value)
      ? { ...(key !== '' && { externalId: key }), ...body.value }
      : body.value;
    const payload: Payload = { payment: payment as DurablePayment, ...(extraBody && { extraBody }) };
    const issues = [
      ...prefixIssues('options', read.issues),
      ...prefixIssues('options', findUndefinedClient(options)),
      ...prefixIssues('options', this.#findShortDurations(read.value ?? {})),
      ...body.issues,
      ...prefixIssues('options.extraBody', extra.issues),
      ...(isRecord(payment) ? findUnstorableParts(payload, this.#options.sealer !== undefined) : []),
      ...(isRecord(payment) && 'externalId' in payment
        ? findExternalIdIssues(payment.externalId, extraBody)
        : []),
    ];
    if (issues.length > 0) throw new ValidationError('The durable payment', issues);
    this.#payments.validate(payload.payment, { idempotencyKey: key, ...(extraBody && { extraBody }) });
    const own = read.value ?? {};
    const giveUpAfter = own.giveUpAfter ?? this.#options.giveUpAfter;
    const refreshFor = own.refreshFor ?? own.giveUpAfter ?? this.#options.refreshFor;
    return { key, client: client as Transaction | undefined, payload, giveUpAfter, refreshFor };
  }
}

const cancelFirst =
  'Call cancel with this key. Use a new key for the changed order only after cancel returned true. Otherwise the customer can be charged twice.';

const notCharged =
  'The recorded payment was not executed and is not sent again, so the changed order can use a new key.';

const mayExist =
  'The recorded payment may exist. A new key charges again, so refund the recorded payment first, or keep the order as it was.';

const flatten = ({ payment, extraBody }: Payload): object => ({ ...payment, ...extraBody });

/**
 * Lists the names of the fields that differ, at any depth, without their values. At most five. A name that is no
 * word, such as a key of `metadata`, can itself be personal, so its object is named instead.
 */
function listDifferences(recorded: object, present: object, path = ''): string[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(present)]);
  return [...names]
    .flatMap((name) => {
      const [before, now] = [recorded, present].map((body) => (body as Record<string, unknown>)[name]);
      if (JSON.stringify(before, inOrder) === JSON.stringify(now, inOrder)) return [];
      const inner = isRecord(before) && isRecord(now) ? listDifferences(before, now, `${path}${name}.`) : [];
      return inner.length > 0 ? inner : [/^[a-z_]{1,40}$/i.test(name) ? `${path}${name}` : path.slice(0, -1)];
    })
    .filter((path, index, paths) => path !== '' && paths.indexOf(path) === index)
    .slice(0, 5);
}
