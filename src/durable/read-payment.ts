import { checkBody } from '../contract/read-value.js';
import { undefinedIssues } from '../contract/undefined-fields.js';
import { ValidationError } from '../errors/usage.js';
import { type Issue, prefixIssues } from '../validation/issue.js';
import { readOptions } from '../validation/options.js';
import { isRecord } from '../validation/record.js';
import {
  type EnqueueOptions,
  findUndefinedClient,
  optionReadersForCreate,
  optionReadersForEnqueue,
} from './method-options.js';
import { type ResolvedOptions, shorterThan } from './options.js';
import { type DurablePayment, findExternalIdIssues, findUnstorableParts, type Payload } from './payload.js';
import type { Payments } from './payment-settler.js';
import type { Recordable } from './recorder.js';

function findShortDurations(
  own: Partial<Pick<EnqueueOptions<unknown>, 'giveUpAfter' | 'refreshFor'>>,
  timeout: number,
): Issue[] {
  return (['giveUpAfter', 'refreshFor'] as const).flatMap((path) => {
    const duration = own[path] ?? timeout;
    return duration < timeout ? [{ path, message: shorterThan(timeout, duration) }] : [];
  });
}

/** Reads the arguments. An error of a getter is the caller's own, not the store's. */
export function readPayment<Transaction>(
  payments: Pick<Payments, 'validate'>,
  durable: ResolvedOptions<Transaction>,
  input: DurablePayment,
  options: unknown,
  state: 'recorded' | 'sending',
): Recordable<Transaction, Payload> {
  const readers = state === 'sending' ? optionReadersForCreate : optionReadersForEnqueue;
  const read = readOptions(options ?? {}, readers as typeof optionReadersForEnqueue);
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
    ...prefixIssues('options', findShortDurations(read.value ?? {}, durable.timeout)),
    ...body.issues,
    ...undefinedIssues(input?.split, 'split'),
    ...prefixIssues('options.extraBody', extra.issues),
    ...(isRecord(payment) ? findUnstorableParts(payload, durable.sealer !== undefined) : []),
    ...(isRecord(payment) && 'externalId' in payment
      ? findExternalIdIssues(payment.externalId, extraBody)
      : []),
  ];
  if (issues.length > 0) throw new ValidationError('The durable payment', issues);
  payments.validate(payload.payment, { idempotencyKey: key, ...(extraBody && { extraBody }) });
  const own = read.value ?? {};
  const giveUpAfter = own.giveUpAfter ?? durable.giveUpAfter;
  const refreshFor = own.refreshFor ?? own.giveUpAfter ?? durable.refreshFor;
  const reference = String(payload.payment.externalId);
  return { key, client: client as Transaction | undefined, payload, reference, giveUpAfter, refreshFor };
}
