import { type OptionReaders, readerFor, validIf } from '../../src/validation/options.js';
import { Option } from './option.js';

/** The sandbox's statuses for responses whose status is undocumented. */
export const responseStatus = Object.freeze({
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
export type ResponseName = keyof typeof responseStatus;

type GivenStatuses = { readonly [Name in ResponseName]?: number | undefined };

const bodiless: ReadonlySet<number> = new Set([204, 205]);

function aStatus(name: ResponseName) {
  const isSuccess = responseStatus[name] < 300;
  const [from, to] = isSuccess ? [200, 299] : [400, 599];
  return validIf<number>(
    (value) =>
      Number.isInteger(value) && Number(value) >= from && Number(value) <= to && !bodiless.has(Number(value)),
    `must be a status from ${from} to ${to}${isSuccess ? ', except 204 and 205, which have no body' : ''}`,
  );
}

const optionReaders = Object.fromEntries(
  Object.keys(responseStatus).map((name) => [name, aStatus(name as ResponseName)]),
) as OptionReaders<GivenStatuses>;

export const statusesOption = new Option<GivenStatuses, Readonly<Record<ResponseName, number>>>(
  readerFor(optionReaders, 'response'),
  (value) => ({ ...responseStatus, ...(value as Partial<Record<ResponseName, number>>) }),
);
