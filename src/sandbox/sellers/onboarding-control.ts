import { aBoolean, type Readers } from '../../input/options.js';
import { aText, checkedOptions } from '../checked-options.js';
import type { Merchants } from '../merchants/merchants.js';
import type { OnboardingKind, OnboardingState, Registration } from './onboarding.js';

/** A registration, as the platform knows it. */
export interface OnboardingRecord {
  readonly registration_id: string;
  readonly kind: OnboardingKind;
  /** The idempotency key it was submitted with. */
  readonly externalId: string;
  readonly status: OnboardingState;
  readonly can_resubmit: boolean;
  /** Why it was rejected. */
  readonly reason: string | undefined;
  /** Of the sub-account, once it is approved. */
  readonly internalId: string | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The text fields of its form. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A document of a registration, as it arrived. */
export interface OnboardingDocument {
  readonly filename: string | undefined;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** A copy. */
  readonly bytes: Uint8Array;
}

/** Why a registration is rejected, and what its merchant can do about it. */
export interface OnboardingRejection {
  /** `can_resubmit` of the status: whether documents may be sent again. Default false. */
  canResubmit?: boolean | undefined;
  /** Shown by `retrieve` and `list` of the control; the API has no field for it. */
  reason?: string | undefined;
}

const rejectionReaders: Readers<OnboardingRejection> = { canResubmit: aBoolean, reason: aText };

/** What the KYC decides. Each throws an Error on an unknown id, and a decision on one that was taken. */
export interface OnboardingControl {
  /** The sub-account is registered, and active. */
  approve(registrationId: string): OnboardingRecord;
  /** @throws TypeError for a field of the rejection that breaks its rule. */
  reject(registrationId: string, rejection?: OnboardingRejection): OnboardingRecord;
  /** Of all merchants, each merchant's in the order of their submission. */
  list(): OnboardingRecord[];
  retrieve(registrationId: string): OnboardingRecord;
  /** The files that arrived, by the names of their fields; after a resend the newest of each name. */
  documents(registrationId: string): Readonly<Record<string, OnboardingDocument>>;
}

export function onboardingControl(merchants: Merchants): OnboardingControl {
  const find = (id: string) => merchants.ownerOf('registration', id, ({ onboarding }) => onboarding.find(id));
  return Object.freeze({
    approve: (registrationId: string) => {
      const { owner, found } = find(registrationId);
      owner.onboarding.approve(found);
      return shown(found);
    },
    reject: (registrationId: string, rejection: OnboardingRejection = {}) => {
      const { canResubmit = false, reason } = checkedOptions(
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
      const documents = Array.from(find(registrationId).found.files, ([name, file]) => [
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
