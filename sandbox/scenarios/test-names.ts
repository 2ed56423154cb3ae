import { type Duration, isDuration, milliseconds } from '../time/duration.js';
import { day } from '../time/units.js';

/** A real name must never select a scenario by accident. */
const prefix = 'Sandbox ';

export interface PayerPlan {
  readonly does: 'pay' | 'refuse' | 'expire' | 'pay-late';
  /** Milliseconds on the sandbox's clock, from the creation or, for `pay-late`, from the expiry. */
  readonly after: number;
}

export interface KycPlan {
  readonly does: 'approve' | 'reject' | 'nothing';
  /** Milliseconds on the sandbox's clock, from the submission. */
  readonly after: number;
  /** Whether documents can be sent again after a rejection. The registration is then approved. */
  readonly canResubmit?: boolean;
}

/** By the words after the prefix. `{after}` stands for a duration. */
const payerPlans: Readonly<Record<string, (after: number) => PayerPlan>> = {
  'paid after {after}': (after) => ({ does: 'pay', after }),
  refused: () => ({ does: 'refuse', after: 0 }),
  'refused after {after}': (after) => ({ does: 'refuse', after }),
  'expired after {after}': (after) => ({ does: 'expire', after }),
  'paid late': () => ({ does: 'pay-late', after: day }),
};

const kycPlans: Readonly<Record<string, (after: number) => KycPlan>> = {
  approved: () => ({ does: 'approve', after: 0 }),
  'approved after {after}': (after) => ({ does: 'approve', after }),
  rejected: () => ({ does: 'reject', after: 0 }),
  'rejected after {after}': (after) => ({ does: 'reject', after }),
  'rejected then approved': () => ({ does: 'reject', after: 0, canResubmit: true }),
  'in review': () => ({ does: 'nothing', after: 0 }),
};

/** `30s` stays unchanged, and a number becomes milliseconds. */
const named = (words: string) => (duration: Duration) => {
  const time = milliseconds(duration);
  return `${prefix}${words} ${typeof duration === 'number' ? `${time}ms` : duration.trim()}`;
};

/**
 * Names that select an outcome, at a time on the sandbox's clock. `paidAfter`, `refused`, `refusedAfter`,
 * `expiredAfter` and `paidLate` work in `customer.name` of a Pix or a boleto, or in `externalId`. `approved`, `approvedAfter`, `rejected`, `rejectedAfter`, `rejectedThenApproved`
 * and `inReview` work in `fullName` (PF) or `representativeName` (PJ) of an onboarding.
 */
export const testNames = Object.freeze({
  /** Paid after a time, unless it expires first: `Sandbox paid after 30s`. */
  paidAfter: named('paid after'),
  /** Refused at once. */
  refused: `${prefix}refused`,
  /** Refused after a time: `Sandbox refused after 30s`. */
  refusedAfter: named('refused after'),
  /** Expires after a time, whatever its expiration or due date: `Sandbox expired after 30s`. */
  expiredAfter: named('expired after'),
  /** A boleto that expires at the end of its due date, and is paid a day later. */
  paidLate: `${prefix}paid late`,
  /** Approved at once. */
  approved: `${prefix}approved`,
  /** Approved after a time: `Sandbox approved after 30s`. */
  approvedAfter: named('approved after'),
  /** Rejected at once; its documents cannot be sent again. */
  rejected: `${prefix}rejected`,
  /** Rejected after a time: `Sandbox rejected after 30s`. */
  rejectedAfter: named('rejected after'),
  /** Rejected at once with `can_resubmit`, and approved once its documents were sent again. */
  rejectedThenApproved: `${prefix}rejected then approved`,
  /** In review until `control.onboarding` decides. */
  inReview: `${prefix}in review`,
});

/**
 * CPFs and CNPJs that select the KYC decision on a registration, as `testNames` do. Their check digits are
 * valid.
 */
export const testDocuments = Object.freeze({
  /** Approved at once. */
  approved: Object.freeze({ cpf: '99000000130', cnpj: 'SANDBOX0000125' }),
  /** Rejected at once; its documents cannot be sent again. */
  rejected: Object.freeze({ cpf: '99000000211', cnpj: 'SANDBOX0000206' }),
  /** Rejected at once with `can_resubmit`, and approved once its documents were sent again. */
  rejectedThenApproved: Object.freeze({ cpf: '99000000300', cnpj: 'SANDBOX0000397' }),
  /** In review until `control.onboarding` decides. */
  inReview: Object.freeze({ cpf: '99000000483', cnpj: 'SANDBOX0000478' }),
});

const nameByDocument = new Map<string, string>(
  Object.entries(testDocuments).flatMap(([outcome, { cpf, cnpj }]) => {
    const name = testNames[outcome as keyof typeof testDocuments];
    return [
      [cpf, name],
      [cnpj, name],
    ];
  }),
);

function findPlan<Plan>(
  plans: Readonly<Record<string, (after: number) => Plan>>,
  text: unknown,
): Plan | undefined {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return undefined;
  const words = text.slice(prefix.length);
  const [, before, duration] = /^(\w+ after) (.+)$/.exec(words) ?? [];
  const key = before === undefined ? words : `${before} {after}`;
  if (!Object.hasOwn(plans, key) || (duration !== undefined && !isDuration(duration))) return undefined;
  return plans[key]?.(duration === undefined ? 0 : milliseconds(duration));
}

/** The first string that is one of the customers' `testNames` counts. */
export const findPayerPlan = (...texts: readonly unknown[]): PayerPlan | undefined =>
  texts.map((text) => findPlan(payerPlans, text)).find((plan) => plan !== undefined);

/** The seller's name takes precedence over the CPF or CNPJ. */
export const findKycPlan = (name: unknown, document: unknown): KycPlan | undefined =>
  findPlan(kycPlans, name) ?? findPlan(kycPlans, nameByDocument.get(String(document)));
