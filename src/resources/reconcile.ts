import type { CreatePayment, Payment } from '../contract/payments/types.js';
import { checkBody } from '../contract/read-value.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { ValidationError } from '../errors/usage.js';
import type { Deadline } from '../transport/call/deadline.js';
import {
  auth,
  type CallOptions,
  extraBody,
  headers,
  idempotencyKey,
  signal,
  timeout,
} from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { prefixIssues } from '../validation/issue.js';
import { type OptionReaders, readOptions, required } from '../validation/options.js';
import { isTemporary, type PollFailure, type PollStep, poll } from './poll.js';

/** The options of `payments.reconcile`. */
export interface ReconcileOptions extends Pick<CallOptions, 'signal' | 'headers' | 'auth' | 'extraBody'> {
  /** The key of the call whose outcome is unknown: `error.idempotencyKey`. */
  idempotencyKey: string;
  /**
   * The wait before the second request, in milliseconds. Each later wait is 1.5 times as long as the previous
   * one, up to 10 times `interval`, unless the platform requires more. The last wait can be shorter. Default 2000.
   */
  interval?: number | undefined;
  /** The time limit for the whole reconciliation, in milliseconds. Default 120000, two minutes. */
  timeout?: number | undefined;
}

const subject = 'payments.reconcile';

const optionReaders: OptionReaders<ReconcileOptions> = {
  idempotencyKey: required(idempotencyKey, 'is required: pass the key of the call whose outcome is unknown'),
  interval: timeout,
  timeout,
  signal,
  headers,
  auth,
  extraBody,
};

export async function reconcile(
  transport: Transport,
  payment: CreatePayment,
  options: unknown,
): Promise<Payment> {
  const { value = {}, issues } = readOptions(options ?? {}, optionReaders);
  const body = checkBody(payment);
  const extra = checkBody(value.extraBody);
  const problems = [
    ...prefixIssues('options', issues),
    ...body.issues,
    ...prefixIssues('options.extraBody', extra.issues),
  ];
  const {
    idempotencyKey: key,
    interval = 2_000,
    timeout: totalTimeout = 120_000,
    signal,
    headers,
    auth,
  } = value;
  if (problems.length > 0) throw new ValidationError(subject, problems, key, { outcome: 'unknown' });
  const callOptions: CallOptions = {
    ...(key !== undefined && { idempotencyKey: key }),
    signal,
    headers: headers && { ...headers },
    auth,
    extraBody: extra.value as CallOptions['extraBody'],
    maxRetries: 0,
  };
  let last: PollFailure | undefined;
  const ask = async (deadline: Deadline): Promise<PollStep<Payment>> => {
    try {
      const remainingMs = Math.max(1, Math.min(deadline.remainingMs, transport.timeout));
      // The body was copied above, so later changes by the caller have no effect.
      const args = { body: body.value as CreatePayment, mayHaveRunBefore: true };
      const options = { ...callOptions, timeout: remainingMs };
      return { result: await transport.call('payments.create', args, options) };
    } catch (error) {
      if (!isPaymentPlatformError(error) || !isTemporary(error)) throw error;
      // The last response says more than a request that the end of the reconciliation has cut off.
      if (error.name === 'TimeoutError' && last !== undefined) return last;
      last = { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
      return last;
    }
  };
  return poll(
    subject,
    { interval, timeout: totalTimeout, signal },
    { outcome: 'unknown', idempotencyKey: key },
    ask,
  );
}
