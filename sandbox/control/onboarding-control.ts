import { booleanReader, type OptionReaders } from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import type { OnboardingState } from '../defaults/transitions.js';
import type { Merchants } from '../merchants/merchants.js';
import type { OnboardingKind, Registration } from '../sellers/onboarding.js';

/** A registration in the sandbox. */
export interface OnboardingRecord {
  /** UUID, as in the response to the submission. */
  readonly registration_id: string;
  /** `pf`: an individual. `pj`: a company. */
  readonly kind: OnboardingKind;
  /** The idempotency key of the submission. */
  readonly externalId: string;
  /** `submitted`, `in_review`, `approved` or `rejected`. */
  readonly status: OnboardingState;
  /** Whether documents can be sent again: true only after a rejection with `canResubmit`. */
  readonly can_resubmit: boolean;
  /** The reason for a rejection. */
  readonly reason: string | undefined;
  /** UUID of the sub-account; undefined until the registration is approved. */
  readonly internalId: string | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The form's fields, except files. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A document of a registration. */
export interface OnboardingDocument {
  /** The file name as sent; undefined if the part has none. */
  readonly filename: string | undefined;
  /** The media type as sent. */
  readonly contentType: string;
  /** The size in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** A copy of the bytes. */
  readonly bytes: Uint8Array;
}

/** Options for rejecting a registration. */
export interface OnboardingRejection {
  /** Whether documents can be sent again. The API returns this as `can_resubmit`. Default false. */
  canResubmit?: boolean | undefined;
  /** The reason, which the control's `retrieve` and `list` return. The API docs show no field for it. */
  reason?: string | undefined;
}

const rejectionReaders: OptionReaders<OnboardingRejection> = { canResubmit: booleanReader, reason: aText };

/**
 * Decides registrations (KYC). `approve` and `reject` throw an Error for an unknown id, or if the
 * registration is already decided.
 */
export interface OnboardingControl {
  /** Approves the registration and creates an active sub-account. */
  approve(registrationId: string): OnboardingRecord;
  /**
   * Rejects the registration. Documents can be sent again only with `canResubmit`.
   *
   * @throws TypeError that names every problem of `rejection`.
   */
  reject(registrationId: string, rejection?: OnboardingRejection): OnboardingRecord;
  /** Lists the registrations of all merchants, grouped by merchant in the order of submission. */
  list(): OnboardingRecord[];
  /** Returns a registration in any status. Throws an Error for an unknown id. */
  retrieve(registrationId: string): OnboardingRecord;
  /** Returns the form's files by field name. After a resend, each name has its latest file. */
  documents(registrationId: string): Readonly<Record<string, OnboardingDocument>>;
}

export function createOnboardingControl(merchants: Merchants): OnboardingControl {
  const find = (id: string) =>
    merchants.getOwner('registration', id, ({ onboarding }) => onboarding.find(id));
  return Object.freeze({
    approve: (registrationId: string) => {
      const { owner, found } = find(registrationId);
      owner.onboarding.approve(found);
      return shown(found);
    },
    reject: (registrationId: string, rejection: OnboardingRejection = {}) => {
      const { canResubmit = false, reason } = readCheckedOptions(
        'control.onboarding.reject',
        rejection,
        rejectionReaders,
      );
      const { owner, found } = find(registrationId);
      owner.onboarding.reject(found, canResubmit, reason);
      return shown(found);
    },
    list: () => merchants.list().flatMap(({ onboarding }) => onboarding.list().map(shown)),
    retrieve: (registrationId: string) => shown(find(registrationId).found),
    documents: (registrationId: string) => {
      const { owner, found } = find(registrationId);
      const documents = Array.from(owner.onboarding.documents(found), ([name, file]) => [
        name,
        { ...file, bytes: new Uint8Array(file.bytes) },
      ]);
      return Object.fromEntries(documents);
    },
  });
}

function shown(registration: Registration): OnboardingRecord {
  const { id, kind, externalId, status, canResubmit, reason, internalId, createdAt, fields } = registration;
  return Object.freeze({
    registration_id: id,
    kind,
    externalId,
    status,
    can_resubmit: canResubmit,
    reason,
    internalId,
    createdAt,
    fields,
  });
}
