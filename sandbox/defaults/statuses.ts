import { type OptionReaders, readerFor, validIf } from '../../src/validation/options.js';
import { Option } from './option.js';

/** The sandbox's statuses for responses whose status is undocumented. */
export const answerStatus = Object.freeze({
  paymentCreated: 201,
  paymentReplayed: 200,
  webhookCreated: 201,
  cardTokenized: 201,
  submerchantCreated: 201,
  withdrawalCreated: 201,
  acquirerUnknown: 502,
  keyReused: 400,
  paymentInvalid: 400,
  notABoleto: 400,
  unfitParameter: 404,
  notResubmittable: 400,
  domainRegistered: 201,
  domainKnown: 200,
});

/** The name of a response whose status is undocumented. */
export type AnswerName = keyof typeof answerStatus;

type GivenStatuses = { readonly [Name in AnswerName]?: number | undefined };

function aStatus(name: AnswerName) {
  const [from, to] = answerStatus[name] < 300 ? [200, 299] : [400, 599];
  return validIf<number>(
    (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
    `must be a status from ${from} to ${to}`,
  );
}

const readers = Object.fromEntries(
  Object.keys(answerStatus).map((name) => [name, aStatus(name as AnswerName)]),
) as OptionReaders<GivenStatuses>;

export const statusesOption = new Option<GivenStatuses, Readonly<Record<AnswerName, number>>>(
  readerFor(readers, 'answer'),
  (value) => ({ ...answerStatus, ...(value as Partial<Record<AnswerName, number>>) }),
);
