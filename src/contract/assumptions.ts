import { certificateFilterFields } from './certificates/fields.js';
import { type FieldTable, fieldsOf, type KeysOf, type Place } from './fields.js';
import { tokenAnswerFields, tokenRequestFields } from './oauth/fields.js';
import { onboardingStatusFields } from './onboarding/fields.js';
import { notificationFields, paymentFields } from './payments/answer-fields.js';
import { paymentRequestFields } from './payments/fields.js';
import type { WireName } from './renaming.js';
import { answerHeaderFields } from './response-headers.js';
import { updateWebhookFields } from './webhooks/fields.js';

/** Every table that contains assumed names. */
export const fieldTables = [
  paymentRequestFields,
  paymentFields,
  notificationFields,
  onboardingStatusFields,
  certificateFilterFields,
  updateWebhookFields,
  tokenRequestFields,
  tokenAnswerFields,
  answerHeaderFields,
] as const;

/** A key of the client option `fieldNames`. */
export type FieldName = KeysOf<(typeof fieldTables)[number]>;

/**
 * Wire names by key, where they differ from the defaults: a name, a path into objects (`data.access_token`), or
 * one for each place where the field is used: `{ request: 'split_rules', response: 'data.split' }`.
 */
export type FieldNames = { readonly [Name in FieldName]?: WireName | undefined };

/** A field name that the API document does not state, with the name that the SDK assumes and the reason for it. */
export interface Assumption {
  /** The name in the SDK. */
  readonly property: string;
  /** The name on the wire, unless `fieldNames` says otherwise. */
  readonly wire: string;
  /** Where the name is used. */
  readonly in: readonly Place[];
  /** Why this name: what the API document says of the field. */
  readonly reason: string;
}

/** One entry for each key, also if several tables have the field. */
function collectAssumptions(tables: readonly FieldTable[]): Record<string, Assumption> {
  const found: Record<string, Assumption> = {};
  for (const table of tables) {
    for (const { key, property, field } of fieldsOf(table)) {
      if (field.reason === undefined) continue;
      const { in: places = [], reason = field.reason } = found[key] ?? {};
      found[key] = {
        property,
        wire: field.wire ?? property,
        in: [...places, table.place],
        reason: reason.includes(field.reason) ? reason : `${reason} ${field.reason}`,
      };
    }
  }
  return found;
}

/**
 * Every field name that the API document does not state, by the key with which the client option
 * `fieldNames` overrides it.
 */
export const assumptions = Object.freeze(collectAssumptions(fieldTables)) as Readonly<
  Record<FieldName, Assumption>
>;
