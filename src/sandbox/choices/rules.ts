import { type ChecksOff, checksOff } from '../../contract/own-checks.js';
import type { Issue } from '../../input/issue.js';
import type { Refusal } from '../scenarios/card-outcomes.js';
import { forEachTransition, paymentTransitions, type Status, type Transition } from './transitions.js';
import {
  answerStatus,
  type audiences,
  receiverPatience,
  refusal,
  resendDelaysSeconds,
  reviewAfter,
} from './values.js';

/** The name of an answer whose status is undocumented. */
export type AnswerName = keyof typeof answerStatus;

/** Whose endpoints are notified of a payment that a sub-account owns. */
export type Audience = (typeof audiences)[number];

/** An error answer of the platform, for `errorBody`. */
export interface SandboxProblem {
  /** The HTTP status. */
  readonly status: number;
  /** The sandbox's code, such as `invalid_request`. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** Every problem of the request, by the path of its field. */
  readonly issues: readonly Readonly<Issue>[];
}

/** What the sandbox does where the API document leaves it open. */
export interface Rules {
  readonly statuses: Readonly<Record<AnswerName, number>>;
  /** Undefined for the sandbox's own body. */
  readonly errorBody: ((problem: SandboxProblem) => unknown) | undefined;
  /** Milliseconds before each resend. */
  readonly resendDelays: readonly number[];
  /** Whose endpoints are notified of a payment with an owner sub-account. */
  readonly audience: Audience;
  /** Deliveries in a row that fail, before their endpoint does; undefined if it stays active. */
  readonly endpointFailsAfter: number | undefined;
  /** Real milliseconds. */
  readonly receiverPatience: number;
  /** Milliseconds from a submission to its review. */
  readonly reviewAfter: number;
  /** Fields of onboarding PJ. */
  readonly requiredPj: readonly string[];
  readonly submerchantKeys: 'together' | 'apart';
  readonly upsellIssued: boolean;
  /** Milliseconds; undefined for the documented time. */
  readonly upsellValidFor: number | undefined;
  readonly uniqueExternalId: boolean;
  readonly refusalReason: (reason: Refusal) => unknown;
  /** The statuses from which each control moves a payment. */
  readonly transitions: Readonly<Record<Transition, readonly Status[]>>;
  /** Whether a boleto is paid after it expired. */
  readonly lateBoletos: boolean;
  /** Milliseconds that the day of a due date ends after that of UTC. */
  readonly dayEndsAfter: number;
  /** The body of the answer to POST /v1/vault/tokenize. */
  readonly vaultAnswer: (card: VaultAnswer) => unknown;
  /** The checks beyond the API document that it does not make. */
  readonly checksOff: ChecksOff;
}

/** What the sandbox answers to POST /v1/vault/tokenize by itself. */
export interface VaultAnswer {
  /** The token of the card. */
  readonly cardTokenId: string;
  /** Lower case; undefined if the prefix is of no known brand. */
  readonly brand?: string;
  /** The last four digits; undefined without a brand. */
  readonly last4?: string;
}

export const defaultRules: Rules = Object.freeze({
  statuses: answerStatus,
  errorBody: undefined,
  resendDelays: resendDelaysSeconds.map((seconds) => seconds * 1_000),
  audience: 'both',
  endpointFailsAfter: undefined,
  receiverPatience,
  reviewAfter,
  requiredPj: [],
  submerchantKeys: 'together',
  upsellIssued: true,
  upsellValidFor: undefined,
  uniqueExternalId: false,
  refusalReason: (reason: Refusal) => reason,
  transitions: forEachTransition((name) => paymentTransitions[name].from),
  lateBoletos: true,
  dayEndsAfter: 0,
  vaultAnswer: (card: VaultAnswer) => card,
  checksOff: checksOff(),
});

/** The `refusalReason` of a payment that no test card refuses. */
export const usualRefusal: Refusal = refusal;
