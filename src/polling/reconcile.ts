import type { CreatePayment, Payment } from '../contract/payments/types.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { ValidationError } from '../errors/usage.js';
import { issuesAt } from '../input/issue.js';
import { type Readers, readOptions, required } from '../input/options.js';
import type { Deadline } from '../transport/deadline.js';
import {
  auth,
  type CallOptions,
  extraBody,
  headers,
  idempotencyKey,
  signal,
  timeout,
} from '../transport/prepare/call-options.js';
import { snapshot } from '../transport/prepare/snapshot.js';
import type { Transport } from '../transport/transport.js';
import { mayChange } from './may-change.js';
import { Answered, poll, type Step } from './poll.js';

/** How `payments.reconcile` asks. */
export interface ReconcileOptions extends Pick<CallOptions, 'signal' | 'headers' | 'auth' | 'extraBody'> {
  /** The key of the call whose outcome is unknown: `error.idempotencyKey`. */
  idempotencyKey: string;
  /** Milliseconds before the second question; each further wait grows by half. Default 2000. */
  interval?: number | undefined;
  /** Milliseconds for all of it. Default 120000. */
  timeout?: number | undefined;
}

const subject = 'payments.reconcile';

const readers: Readers<ReconcileOptions> = {
  idempotencyKey: required(idempotencyKey, 'must be a string, not undefined'),
  interval: timeout,
  timeout,
  signal,
  headers,
  auth,
  extraBody,
};

/** Sends a payment again with the same key until the platform answers with it. */
export async function reconcile(
  transport: Transport,
  payment: CreatePayment,
  options: unknown,
): Promise<Payment> {
  const { value = {}, issues } = readOptions(options ?? {}, readers);
  const body = snapshot(payment);
  const extra = snapshot(value.extraBody);
  const problems = [...issuesAt('options', issues), ...body.issues, ...extra.issues];
  const { idempotencyKey: key, interval = 2_000, timeout: time = 120_000, signal, headers, auth } = value;
  if (problems.length > 0) throw new ValidationError(subject, problems, key);
  const fixed: CallOptions = {
    idempotencyKey: key,
    signal,
    headers: headers && { ...headers },
    auth,
    extraBody: extra.value as CallOptions['extraBody'],
    maxRetries: 0,
  };
  const ask = async (deadline: Deadline): Promise<Step<Payment>> => {
    try {
      const left = Math.max(1, Math.min(deadline.remaining, transport.timeout));
      // Copied above: what the caller changes while this waits gets into no question.
      const args = { body: body.value as CreatePayment, resumes: true };
      return new Answered(await transport.call('payments.create', args, { ...fixed, timeout: left }));
    } catch (error) {
      if (!isPaymentPlatformError(error) || !mayChange(error)) throw error;
      return { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
    }
  };
  return poll(subject, { interval, timeout: time, signal }, { outcome: 'unknown', idempotencyKey: key }, ask);
}
