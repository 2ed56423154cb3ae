import { checkBody } from '../contract/read-value.js';
import { IdempotencyConflictError } from '../errors/api.js';
import { ValidationError } from '../errors/usage.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
import { readOptions } from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import { type EnqueueOptions, optionReadersForCreate, optionReadersForEnqueue } from './method-options.js';
import type { ResolvedOptions } from './options.js';
import {
  type DurablePayment,
  findExternalIdIssues,
  findUnstorableParts,
  type Payload,
  type RowCodec,
} from './payload.js';
import { rowVersion } from './payment-row.js';
import type { HeldRow, Payments } from './payment-settler.js';

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
    const { key, client, payload } = this.#checked(
      input,
      options,
      state === 'sending' ? optionReadersForCreate : optionReadersForEnqueue,
    );
    const { store, lease, giveUpAfter } = this.#options;
    const { digest, payload: text } = await this.#codec.payload(key, payload);
    const heldSince = performance.now();
    const inserted = await store.insert(
      {
        key,
        version: rowVersion,
        state,
        reference: String(payload.payment.externalId),
        digest,
        payload: text,
        deadlineIn: giveUpAfter,
        ...(state === 'sending' ? { attempts: 1, dueIn: lease } : { attempts: 0, dueIn: 0 }),
      },
      client,
    );
    if (inserted !== undefined) return { row: inserted, heldSince, isNew: true };
    const present = await store.find(key, client);
    if (present === undefined) throw new Error('The store has neither kept nor found the row.');
    if (present.digest !== digest)
      throw new IdempotencyConflictError(
        `The key ${key} was recorded with another payload. Nothing was sent. A changed order needs a new key.`,
        { idempotencyKey: key },
      );
    return { row: present, heldSince, isNew: false };
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
      ...prefixIssues('options', undefinedClient(options)),
      ...body.issues,
      ...prefixIssues('options.extraBody', extra.issues),
      ...(isRecord(payment) ? findUnstorableParts(payload, this.#options.sealer !== undefined) : []),
      ...(isRecord(payment) && 'externalId' in payment
        ? findExternalIdIssues(payment.externalId, extraBody)
        : []),
    ];
    if (issues.length > 0) throw new ValidationError('The durable payment', issues);
    this.#payments.validate(payload.payment, { idempotencyKey: key, ...(extraBody && { extraBody }) });
    return { key, client: client as Transaction | undefined, payload };
  }
}

/**
 * Reports an option `client` that is present but undefined. With it, the payment would be recorded outside
 * the caller's transaction.
 */
const undefinedClient = (options: unknown): Issue[] =>
  isRecord(options) && Object.hasOwn(options, 'client') && options.client === undefined
    ? [{ path: 'client', message: 'is undefined. Pass your open transaction, or leave the option out' }]
    : [];
