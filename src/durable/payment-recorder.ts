import type { Payment } from '../contract/payments/types.js';
import { checkBody } from '../contract/read-value.js';
import { ValidationError } from '../errors/usage.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
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
import { type Payments, paymentKind } from './payment-settler.js';
import { Recorder } from './recorder.js';

export class PaymentRecorder<Transaction> {
  readonly #payments: Pick<Payments, 'validate'>;
  readonly #options: ResolvedOptions<Transaction>;
  readonly #recorder: Recorder<Transaction, Payload>;

  constructor(
    payments: Pick<Payments, 'validate'>,
    options: ResolvedOptions<Transaction>,
    codec: RowCodec<Payload, Payment>,
  ) {
    this.#payments = payments;
    this.#options = options;
    this.#recorder = new Recorder(options, codec, paymentKind, keyIsHeld);
  }

  async record(input: DurablePayment, options: EnqueueOptions<Transaction>, state: 'recorded' | 'sending') {
    const readers = state === 'sending' ? optionReadersForCreate : optionReadersForEnqueue;
    return this.#recorder.record(this.#checked(input, options, readers), state);
  }

  #findShortDurations(own: Partial<Pick<EnqueueOptions<unknown>, 'giveUpAfter' | 'refreshFor'>>): Issue[] {
    const { timeout } = this.#options;
    return (['giveUpAfter', 'refreshFor'] as const).flatMap((path) => {
      const duration = own[path] ?? timeout;
      return duration < timeout ? [{ path, message: shorterThan(timeout, duration) }] : [];
    });
  }

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
    const reference = String(payload.payment.externalId);
    return { key, client: client as Transaction | undefined, payload, reference, giveUpAfter, refreshFor };
  }
}
