import type { Fields } from '../../contract/operation.js';
import { IllegalTransitionError } from '../control-errors.js';
import { fileFields, textFields } from '../http/form-fields.js';
import type { UploadedFile } from '../http/uploaded-file.js';
import type { Random } from '../random.js';
import type { Clock } from '../time/clock.js';
import type { SubAccounts, TaxDocument } from './sub-accounts.js';

/** Milliseconds from a submission to its review. */
export const reviewAfter = 60_000;

/** The default of the milliseconds from a submission to its approval. */
export const defaultApproval = 10 * 60_000;

export type OnboardingState = 'submitted' | 'in_review' | 'approved' | 'rejected';

/** A natural person, or a legal entity. */
export type OnboardingKind = 'pf' | 'pj';

/** A registration as the sandbox keeps it. */
export interface Registration {
  readonly id: string;
  readonly kind: OnboardingKind;
  /** The idempotency key of its submission. */
  readonly externalId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The text fields of its form. */
  readonly fields: Fields;
  readonly files: Map<string, UploadedFile>;
  status: OnboardingState;
  canResubmit: boolean;
  /** The reason of a rejection. */
  reason: string | undefined;
  /** Of the sub-account; undefined until it is approved. */
  internalId: string | undefined;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: SubAccounts;
  /** Milliseconds; undefined if only a control approves. */
  readonly approveAfter: number | undefined;
}

/** The onboarding of one merchant's sub-accounts (API document, Onboarding registration). */
export class Onboarding {
  readonly #registrations = new Map<string, Registration>();
  /** Functions that cancel the scheduled steps of a registration. */
  readonly #steps = new Map<string, (() => void)[]>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #accounts: SubAccounts;
  readonly #approveAfter: number | undefined;

  constructor({ clock, random, accounts, approveAfter }: Parts) {
    this.#clock = clock;
    this.#random = random;
    this.#accounts = accounts;
    this.#approveAfter = approveAfter;
  }

  /** In the order of their submission. */
  list(): Registration[] {
    return [...this.#registrations.values()];
  }

  find(id: string): Registration | undefined {
    return this.#registrations.get(id);
  }

  submit(kind: OnboardingKind, form: Fields, externalId: string): Registration {
    const registration: Registration = {
      id: this.#random.uuid(),
      kind,
      externalId,
      createdAt: this.#clock.timestamp(),
      fields: Object.freeze(textFields(form)),
      files: fileFields(form),
      status: 'submitted',
      canResubmit: false,
      reason: undefined,
      internalId: undefined,
    };
    this.#registrations.set(registration.id, registration);
    this.#schedule(registration);
    return registration;
  }

  /** Replaces documents with the same field names. The caller has checked `canResubmit`. */
  resend(registration: Registration, form: Fields): void {
    for (const [name, file] of fileFields(form)) registration.files.set(name, file);
    registration.status = 'submitted';
    registration.canResubmit = false;
    registration.reason = undefined;
    this.#schedule(registration);
  }

  /** @throws IllegalTransitionError if it is already decided. */
  approve(registration: Registration): void {
    this.#decide(registration, 'approved');
    const { externalId, fields } = registration;
    const document = documentOf(registration);
    registration.internalId = this.#accounts.add({ externalId, document, fields }).internalId;
  }

  /** @throws IllegalTransitionError if it is already decided. */
  reject(registration: Registration, canResubmit: boolean, reason: string | undefined): void {
    this.#decide(registration, 'rejected');
    registration.canResubmit = canResubmit;
    registration.reason = reason;
  }

  #decide(registration: Registration, status: 'approved' | 'rejected'): void {
    if (registration.status !== 'submitted' && registration.status !== 'in_review') {
      throw new IllegalTransitionError(
        `Registration ${registration.id} is ${registration.status}: only one that is submitted or in_review can be ${status}.`,
        registration.status,
        [],
      );
    }
    for (const cancel of this.#steps.get(registration.id) ?? []) cancel();
    this.#steps.delete(registration.id);
    registration.status = status;
  }

  #schedule(registration: Registration): void {
    const now = this.#clock.time();
    const review = this.#clock.schedule(now + reviewAfter, () => {
      registration.status = 'in_review';
    });
    const steps = [review];
    if (this.#approveAfter !== undefined) {
      steps.push(this.#clock.schedule(now + this.#approveAfter, () => this.approve(registration)));
    }
    this.#steps.set(registration.id, steps);
  }
}

/** The document of the sub-account; undefined for a legal entity without cnpj, which is not required. */
function documentOf({ kind, fields }: Registration): TaxDocument | undefined {
  const number = kind === 'pf' ? fields.document : fields.cnpj;
  return typeof number === 'string' ? { number, type: kind === 'pf' ? 'cpf' : 'cnpj' } : undefined;
}
