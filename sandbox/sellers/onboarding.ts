import type { Fields } from '../../src/contract/operation.js';
import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import { IllegalTransitionError } from '../arguments/control-errors.js';
import type { Behaviour } from '../defaults/all.js';
import { documentFormats } from '../defaults/submerchants.js';
import { type OnboardingState, onboardingDecisions } from '../defaults/transitions.js';
import type { Random } from '../random/random.js';
import { findKycPlan, type KycPlan } from '../scenarios/test-names.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { SubAccounts, TaxDocument } from './sub-accounts.js';
import { fileFields, textFields, type UploadedFile, uploadedFileCodec } from './uploaded-file.js';

/** An individual or a company. */
export type OnboardingKind = 'pf' | 'pj';

export interface Registration {
  readonly id: string;
  readonly kind: OnboardingKind;
  readonly externalId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Without files. */
  readonly fields: Fields;
  /** In milliseconds since 1970. Set again by a resend. */
  submittedAt: number;
  status: OnboardingState;
  canResubmit: boolean;
  reason: string | undefined;
  resent: boolean;
  /** Undefined until the registration is approved. */
  internalId: string | undefined;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: SubAccounts;
  readonly tables: TableFactory;
  readonly behaviour: Behaviour['kyc'];
}

/** API docs, Onboarding registration. */
export class Onboarding {
  readonly #registrations: Table<Registration>;
  /** By registration and field. */
  readonly #documents: Table<UploadedFile>;
  /** Functions that cancel a registration's scheduled steps. */
  readonly #steps = new Map<string, (() => void)[]>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#registrations = parts.tables.table('onboarding');
    this.#documents = parts.tables.table('documents', uploadedFileCodec);
  }

  list(): Registration[] {
    return [...this.#registrations.values()];
  }

  find(id: string): Registration | undefined {
    return this.#registrations.get(id);
  }

  issues(kind: OnboardingKind, form: unknown): Issue[] {
    const required = kind === 'pj' ? this.#parts.behaviour.requiredPj : [];
    const isMissing = (path: string) => !isRecord(form) || form[path] === undefined;
    return [
      ...required.filter(isMissing).map((path) => ({ path, message: 'is required' })),
      ...this.formatIssues(form),
    ];
  }

  formatIssues(form: unknown): Issue[] {
    const { documentFormats: accepted } = this.#parts.behaviour;
    if (accepted === undefined || !isRecord(form)) return [];
    const message = `must be a file of one of these formats: ${accepted.join(', ')}`;
    return Array.from(fileFields(form))
      .filter(
        ([, { bytes }]) => !accepted.some((format) => documentFormats[format].test(readBeginning(bytes))),
      )
      .map(([path]) => ({ path, message }));
  }

  submit(kind: OnboardingKind, form: Fields, externalId: string): Registration {
    const registration: Registration = {
      id: this.#parts.random.uuid(),
      kind,
      externalId,
      createdAt: this.#parts.clock.timestamp(),
      fields: Object.freeze(textFields(form)),
      submittedAt: this.#parts.clock.time(),
      status: 'submitted',
      canResubmit: false,
      reason: undefined,
      resent: false,
      internalId: undefined,
    };
    this.#keepDocuments(registration, form);
    this.#changed(registration);
    this.#schedule(registration);
    return registration;
  }

  /** Schedules the pending reviews and decisions of a restored state. */
  resume(): void {
    this.#steps.clear();
    for (const registration of this.#registrations.values()) {
      if (isUndecided(registration)) this.#schedule(registration);
    }
  }

  /** After a resend, the latest file of each name. */
  documents({ id }: Registration): Map<string, UploadedFile> {
    const files = new Map<string, UploadedFile>();
    for (const key of this.#documents.keys()) {
      const file = key.startsWith(`${id}/`) ? this.#documents.get(key) : undefined;
      if (file !== undefined) files.set(key.slice(id.length + 1), file);
    }
    return files;
  }

  /** The caller has checked `canResubmit`. */
  resend(registration: Registration, form: Fields): void {
    this.#keepDocuments(registration, form);
    registration.submittedAt = this.#parts.clock.time();
    registration.status = 'submitted';
    registration.canResubmit = false;
    registration.reason = undefined;
    registration.resent = true;
    this.#changed(registration);
    this.#schedule(registration);
  }

  /** @throws IllegalTransitionError if the registration is already decided */
  approve(registration: Registration): void {
    this.#decide(registration, 'approve');
    const { externalId, fields } = registration;
    const document = findDocument(registration);
    registration.internalId = this.#parts.accounts.add({ externalId, document, fields }).internalId;
    this.#changed(registration);
  }

  /** @throws IllegalTransitionError if the registration is already decided */
  reject(registration: Registration, canResubmit: boolean, reason: string | undefined): void {
    this.#decide(registration, 'reject');
    registration.canResubmit = canResubmit;
    registration.reason = reason;
    this.#changed(registration);
  }

  #decide(registration: Registration, decision: keyof typeof onboardingDecisions): void {
    const { from, to } = onboardingDecisions[decision];
    if (!isUndecided(registration)) {
      throw new IllegalTransitionError(
        `Registration ${registration.id} is ${registration.status}: only one that is ${from.join(' or ')} can be ${to}.`,
        registration.status,
        [],
      );
    }
    for (const cancel of this.#steps.get(registration.id) ?? []) cancel();
    this.#steps.delete(registration.id);
    registration.status = to;
  }

  #schedule(registration: Registration): void {
    const { id, submittedAt } = registration;
    const steps: (() => void)[] = [];
    this.#steps.set(id, steps);
    const plan = (at: number, step: () => void) => steps.push(this.#parts.clock.schedule(at, step));
    if (registration.status === 'submitted') {
      plan(submittedAt + this.#parts.behaviour.reviewAfter, () => {
        registration.status = 'in_review';
        this.#changed(registration);
      });
    }
    const { does, after, canResubmit = false } = this.#planFor(registration);
    const decide = () => {
      if (does === 'approve') this.approve(registration);
      else this.reject(registration, canResubmit, rejectionOfScenario);
    };
    if (does === 'nothing') return;
    if (after === 0) decide();
    else plan(submittedAt + after, decide);
  }

  #planFor({ kind, fields, resent }: Registration): KycPlan {
    const isPf = kind === 'pf';
    const plan = findKycPlan(
      fields[isPf ? 'fullName' : 'representativeName'],
      fields[isPf ? 'document' : 'cnpj'],
    );
    if (plan !== undefined) return resent && plan.canResubmit ? { does: 'approve', after: 0 } : plan;
    const { approveAfter } = this.#parts.behaviour;
    return approveAfter === undefined
      ? { does: 'nothing', after: 0 }
      : { does: 'approve', after: approveAfter };
  }

  #keepDocuments({ id }: Registration, form: Fields): void {
    for (const [name, file] of fileFields(form)) this.#documents.set(`${id}/${name}`, file);
  }

  #changed(registration: Registration): Registration {
    return this.#registrations.set(registration.id, registration);
  }
}

/** For a rejection that a test name or a test document selects. */
const rejectionOfScenario = 'The documents could not be verified.';

/** One character for each byte. */
const readBeginning = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 16));

const isUndecided = ({ status }: Registration) =>
  onboardingDecisions.approve.from.some((from) => from === status);

/** Undefined for a company without `cnpj`, which is not required. */
function findDocument({ kind, fields }: Registration): TaxDocument | undefined {
  const number = kind === 'pf' ? fields.document : fields.cnpj;
  return typeof number === 'string' ? { number, type: kind === 'pf' ? 'cpf' : 'cnpj' } : undefined;
}
